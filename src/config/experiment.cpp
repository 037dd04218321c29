#include "config/experiment.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "config/keys.h"
#include "config/origin.h"
#include "config/validate.h"
#include "core/files.h"
#include "core/hash.h"
#include "equation/block_toml.h"

namespace layerlab::config {
namespace fs = std::filesystem;
namespace {

// The one TOML file in a folder, or the file itself.
fs::path find_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  const std::vector<fs::path> found = sorted_entries(path, ".toml");
  const Place place{path.string()};
  if (found.empty()) throw UserError(place, "holds no TOML file", "name an experiment's file");
  if (found.size() > 1) {
    throw UserError(place,
                    "holds several TOML files, " + found[0].filename().string() + " and " +
                        found[1].filename().string(),
                    "name one of them");
  }
  return found[0];
}

// The name of the folder of results, which must not be another's.
std::string study_name(const fs::path& file) {
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path().filename();
  const std::string name = file.stem() == "experiment" ? folder.string() : file.stem().string();
  if (is_file_name(name) && name != "cells" && name != "replaced") return name;
  throw UserError({file.string()},
                  "cannot name an experiment, whose results are in a folder \"" + name + "\" then",
                  "rename it");
}

// What stands under a top-level key, removed from there.
std::optional<TomlNode> take(TomlNode& root, const char* key) {
  const TomlNode* const node = root.find(key);
  if (node == nullptr) return std::nullopt;
  std::optional<TomlNode> taken = *node;
  erase_path(root, key);
  return taken;
}

std::vector<std::string> warnings_of(const std::vector<Cell>& cells) {
  std::vector<std::string> lines;
  for (const Cell& cell : cells) {
    for (const std::string& line : warnings(cell.config)) {
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    }
  }
  return lines;
}

// In what the runs differ.
std::vector<Axis> varied_axes(const UnexpandedExperiment& unexpanded) {
  std::vector<Axis> axes = unexpanded.axes;
  if (unexpanded.search) axes.push_back({unexpanded.search->key, unexpanded.search->values});
  return axes;
}

// The settings that all cells share, with [block] only where the file has its own.
TomlNode shared_settings(const UnexpandedExperiment& unexpanded, const std::vector<Cell>& cells) {
  TomlNode shared = cells.front().settings;
  for (const auto& [key, value] : leaves(cells.front().settings)) {
    const bool same = std::ranges::all_of(cells, [&, &dotted = key, &node = value](const Cell& c) {
      const TomlNode* other = find_path(c.settings, dotted);  // blocks have keys that others lack
      return other != nullptr && same_value(*other, node);
    });
    if (!same) erase_path(shared, key);
  }
  const std::vector<Axis> axes = varied_axes(unexpanded);
  for (const Axis& axis : axes) erase_path(shared, axis.key);
  erase_path(shared, "block");
  if (unexpanded.origin) erase_path(shared, "model.init_from");
  if (find_path(unexpanded.settings, "model.finish") == nullptr) erase_path(shared, "model.finish");
  if (const TomlNode* block = unexpanded.settings.find("block")) {
    set_path(shared, "block",
             equation::to_tree(equation::read_block(own_block_name(unexpanded), *block)));
    for (const Axis& axis : axes) erase_path(shared, axis.key);
    for (const char* key : {"block.const", "block.gain", "block.init", "block.param"}) {
      const TomlNode* table = find_path(shared, key);
      if (table != nullptr && leaves(*table).empty()) erase_path(shared, key);
    }
  }
  return shared;
}

std::string resolved_text(const Experiment& experiment, const UnexpandedExperiment& unexpanded) {
  TomlNode::Table document = {{"title", to_node(experiment.title)}};
  const TomlNode shared = shared_settings(unexpanded, experiment.cells);
  for (const auto& entry : std::get<TomlNode::Table>(shared.value)) document.push_back(entry);
  if (!unexpanded.axes.empty()) document.emplace_back("grid", to_tree(unexpanded.axes));
  if (unexpanded.search) document.emplace_back("search", to_tree(*unexpanded.search));
  if (unexpanded.origin) document.emplace_back("origin", *unexpanded.origin);
  TomlNode::Array claims;
  for (const Claim& claim : experiment.claims) claims.push_back(claim.table);
  if (!claims.empty()) document.emplace_back("claim", TomlNode{std::move(claims), {}, {}, {}});
  return to_toml({std::move(document), {}, {}, {}});
}

// How messages name the runs of a size.
const char* run_word(bool quick) { return quick ? "quick run" : "run"; }

// The claims that select runs. Settings of the command line may leave the others without.
std::vector<Claim> kept_claims(std::vector<Claim> claims, const std::vector<Cell>& cells,
                               const Overrides& overrides) {
  std::erase_if(claims, [&](const Claim& claim) {
    const auto wrong = selects_nothing(claim, cells, run_word(overrides.quick));
    if (wrong && !overrides.replace_settings()) throw *wrong;
    return wrong.has_value();
  });
  return claims;
}

// One seed shows whether claims select runs, unless they select seeds: no other setting follows it.
void drop_seeds(const std::vector<Claim>& claims, UnexpandedExperiment& unexpanded) {
  const auto names_seed = [](const Selection& selection) {
    return std::ranges::find(selection, "seed", &Axis::key) != selection.end();
  };
  if (std::ranges::any_of(claims, [&](const Claim& claim) {
        return names_seed(claim.where) || names_seed(claim.versus);
      })) {
    return;
  }
  for (Axis& axis : unexpanded.axes) {
    if (axis.key == "seed") axis.values.resize(1);
  }
}

// Makes `unexpanded` that of the size asked for; the claims must be about runs of the other one
// too.
void choose_size(const TomlNode& quick, const std::vector<Claim>& claims,
                 const Overrides& overrides, UnexpandedExperiment& unexpanded) {
  UnexpandedExperiment other = unexpanded;
  apply_quick(quick, overrides.quick ? unexpanded : other);
  drop_seeds(claims, other);
  shift_seeds(other, overrides.seed_offset);
  const std::vector<Cell> cells = cells_of(other);
  for (const Claim& claim : claims) {
    if (const auto wrong = selects_nothing(claim, cells, run_word(!overrides.quick))) throw *wrong;
  }
}

}  // namespace

Experiment load_experiment(const std::string& file, const Overrides& overrides) {
  const fs::path path = file.empty() ? fs::path() : find_file(file);
  TomlNode root = file.empty() ? parse_toml_text("", "defaults") : parse_toml_file(path);
  check_top_level(root, {"title", "grid", "search", "origin", "claim", "quick"});
  Experiment experiment;
  experiment.study = file.empty() ? "run" : study_name(path);
  experiment.name = experiment.title = experiment.study;
  TableReader(root, "").read("title", experiment.title);

  const std::optional<TomlNode> quick = take(root, "quick");
  std::optional<TomlNode> claim_tables = take(root, "claim");
  erase_path(root, "title");
  UnexpandedExperiment unexpanded = read_unexpanded(std::move(root));
  if (claim_tables) shift_seeds(*claim_tables, overrides.seed_offset);
  std::vector<Claim> claims =
      read_claims(claim_tables ? &*claim_tables : nullptr, unexpanded.search);

  if (quick) choose_size(*quick, claims, overrides, unexpanded);
  apply_overrides(overrides, unexpanded);
  shift_seeds(unexpanded, overrides.seed_offset);
  experiment.cells = cells_of(unexpanded);
  if (unexpanded.origin)
    experiment.origins = begin_with_origins(*unexpanded.origin, experiment.cells);
  experiment.search = unexpanded.search;
  for (const Axis& axis : varied_axes(unexpanded)) experiment.axes.push_back(axis.key);
  experiment.warnings = warnings_of(experiment.cells);
  experiment.claims = kept_claims(std::move(claims), experiment.cells, overrides);
  experiment.resolved_text = resolved_text(experiment, unexpanded);
  if (quick && overrides.quick) experiment.name += "-quick";
  if (overrides.seed_offset > 0) {
    experiment.name += "-seeds+" + std::to_string(overrides.seed_offset);
  }
  if (overrides.replace_settings() || overrides.seeds > 0) {  // another experiment than the file's
    experiment.name += "-" + hash_hex(experiment.resolved_text).substr(0, 8);
  }
  return experiment;
}

}  // namespace layerlab::config
