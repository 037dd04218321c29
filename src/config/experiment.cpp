#include "config/experiment.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "config/claims.h"
#include "config/draft.h"
#include "config/keys.h"
#include "config/origin.h"
#include "config/variation.h"
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

std::string study_name(const fs::path& file) {
  if (file.stem() != "experiment") return file.stem().string();
  return fs::absolute(file).lexically_normal().parent_path().filename().string();
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
std::vector<Axis> varied_axes(const Draft& draft) {
  std::vector<Axis> axes = draft.axes;
  if (draft.search) axes.push_back({draft.search->key, draft.search->values});
  return axes;
}

// The settings that all cells share, with [block] only where the file has its own.
TomlNode shared_settings(const Draft& draft, const std::vector<Cell>& cells) {
  TomlNode shared = cells.front().settings;
  for (const auto& [key, value] : leaves(cells.front().settings)) {
    const bool same = std::ranges::all_of(cells, [&, &dotted = key, &node = value](const Cell& c) {
      const TomlNode* other = find_path(c.settings, dotted);  // blocks have keys that others lack
      return other != nullptr && same_value(*other, node);
    });
    if (!same) erase_path(shared, key);
  }
  const std::vector<Axis> axes = varied_axes(draft);
  for (const Axis& axis : axes) erase_path(shared, axis.key);
  erase_path(shared, "block");
  if (draft.origin) erase_path(shared, "model.init_from");
  if (find_path(draft.settings, "model.finish") == nullptr) erase_path(shared, "model.finish");
  if (const TomlNode* block = draft.settings.find("block")) {
    set_path(shared, "block",
             equation::to_tree(equation::read_block(own_block_name(draft), *block)));
    for (const Axis& axis : axes) erase_path(shared, axis.key);
    for (const char* key : {"block.const", "block.gain", "block.init", "block.param"}) {
      const TomlNode* table = find_path(shared, key);
      if (table != nullptr && leaves(*table).empty()) erase_path(shared, key);
    }
  }
  return shared;
}

std::string resolved_text(const Experiment& experiment, const Draft& draft,
                          TomlNode::Array claims) {
  TomlNode::Table document = {{"title", to_node(experiment.title)}};
  const TomlNode shared = shared_settings(draft, experiment.cells);
  for (const auto& entry : std::get<TomlNode::Table>(shared.value)) document.push_back(entry);
  if (!draft.axes.empty()) document.emplace_back("grid", to_tree(draft.axes));
  if (draft.search) document.emplace_back("search", to_tree(*draft.search));
  if (draft.origin) document.emplace_back("origin", *draft.origin);
  if (!claims.empty()) document.emplace_back("claim", TomlNode{std::move(claims), {}, {}, {}});
  return to_toml({std::move(document), {}, {}, {}});
}

// How messages name the runs of a size.
const char* run_word(bool quick) { return quick ? "quick run" : "run"; }

// Keeps the claims that select runs, and their tables in `nodes`.
void keep_claims(std::vector<Claim> claims, const Variation& variation, Experiment& experiment,
                 TomlNode::Array& nodes) {
  TomlNode::Array kept;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    try {
      check_selects(claims[i], experiment.cells, run_word(variation.quick));
    } catch (const UserError& error) {
      if (variation.overrides.empty()) throw;
      continue;  // of a run that was overridden away; nobody judges claims then
    }
    experiment.claims.push_back(std::move(claims[i]));
    kept.push_back(std::move(nodes[i]));
  }
  nodes = std::move(kept);
}

// One seed shows whether claims select runs, unless they select seeds: no other setting follows it.
void drop_seeds(const std::vector<Claim>& claims, Draft& draft) {
  const auto names_seed = [](const Selection& selection) {
    return std::ranges::find(selection, "seed", &Axis::key) != selection.end();
  };
  if (std::ranges::any_of(claims, [&](const Claim& claim) {
        return names_seed(claim.where) || names_seed(claim.versus);
      })) {
    return;
  }
  for (Axis& axis : draft.axes) {
    if (axis.key == "seed") axis.values.resize(1);
  }
}

// Makes the draft that of the size asked for; the claims must be about runs of the other one too.
void choose_size(const TomlNode& quick, const std::vector<Claim>& claims,
                 const Variation& variation, Draft& draft) {
  Draft other = draft;
  apply_quick(quick, variation.quick ? draft : other);
  drop_seeds(claims, other);
  shift_seeds(other, variation.seed_offset);
  const std::vector<Cell> cells = cells_of(other);
  for (const Claim& claim : claims) check_selects(claim, cells, run_word(!variation.quick));
}

}  // namespace

bool selects(const Selection& selection, const Cell& cell) {
  return std::ranges::all_of(selection, [&](const Axis& choice) {
    const TomlNode* value = find_path(cell.settings, choice.key);
    return value != nullptr && std::ranges::any_of(choice.values, [&](const TomlNode& chosen) {
             return same_value(*value, chosen);
           });
  });
}

Experiment load_experiment(const std::string& file, const Variation& variation) {
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
  Draft draft = read_draft(std::move(root));
  if (claim_tables) shift_seeds(*claim_tables, variation.seed_offset);
  std::vector<Claim> claims = read_claims(claim_tables ? &*claim_tables : nullptr, draft.search);
  TomlNode::Array claim_nodes;
  if (!claims.empty()) claim_nodes = std::get<TomlNode::Array>(claim_tables->value);

  if (quick) choose_size(*quick, claims, variation, draft);
  apply_overrides(variation, draft);
  shift_seeds(draft, variation.seed_offset);
  experiment.cells = cells_of(draft);
  if (draft.origin) experiment.origins = begin_with_origins(*draft.origin, experiment.cells);
  experiment.search = draft.search;
  for (const Axis& axis : varied_axes(draft)) experiment.axes.push_back(axis.key);
  experiment.warnings = warnings_of(experiment.cells);
  keep_claims(std::move(claims), variation, experiment, claim_nodes);
  experiment.resolved_text = resolved_text(experiment, draft, std::move(claim_nodes));
  if (quick && variation.quick) experiment.name += "-quick";
  if (variation.seed_offset > 0) {
    experiment.name += "-seeds+" + std::to_string(variation.seed_offset);
  }
  if (!variation.overrides.empty() || variation.seeds > 0) {  // another experiment than the file's
    experiment.name += "-" + hash_hex(experiment.resolved_text).substr(0, 8);
  }
  return experiment;
}

}  // namespace layerlab::config
