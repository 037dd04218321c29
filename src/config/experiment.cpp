#include "config/experiment.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "config/claims.h"
#include "config/grid.h"
#include "config/keys.h"
#include "config/origin.h"
#include "core/hash.h"
#include "equation/block_toml.h"

namespace layerlab::config {
namespace fs = std::filesystem;
namespace {

// The one TOML file in a folder, or the file itself.
fs::path find_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".toml") found.push_back(entry.path().filename().string());
  }
  std::ranges::sort(found);
  const Place place{path.string()};
  if (found.empty()) throw UserError(place, "holds no TOML file", "name an experiment's file");
  if (found.size() > 1) {
    throw UserError(place, "holds several TOML files, " + found[0] + " and " + found[1],
                    "name one of them");
  }
  return path / found[0];
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

// What model.block must say for a run to use the file's own [block].
std::string own_block_name(const TomlNode& root, const std::vector<Axis>& axes) {
  const bool in_grid = std::ranges::find(axes, "model.block", &Axis::key) != axes.end();
  for (const char* path : {"block.name", in_grid ? "" : "model.block"}) {
    const TomlNode* node = find_path(root, path);
    const auto* name = node == nullptr ? nullptr : std::get_if<std::string>(&node->value);
    if (name != nullptr) return *name;
  }
  return "custom";
}

// Leaves [block] only in the runs that ask for it; the others take theirs from the catalogue.
void assign_own_block(const TomlNode& root, const std::vector<Axis>& axes,
                      std::vector<TomlNode>& runs) {
  const TomlNode* block = root.find("block");
  if (block == nullptr) return;
  const TomlNode own = to_node(own_block_name(root, axes));
  bool used = false;
  for (TomlNode& run : runs) {
    const TomlNode* chosen = find_path(run, "model.block");
    if (chosen == nullptr || same_value(*chosen, own)) {
      used = true;
    } else {
      erase_path(run, "block");
    }
  }
  if (used) return;
  const std::string name = to_toml_value(own);
  throw UserError(block->key_place, "[block] is named " + name + ", but no run uses it",
                  "write model.block = " + name);
}

// The contents of files that runs name, so that those of a grid are read once. A task's checks
// depend on its table and the kind of model, so they have been made where both are equal.
class Contents {
 public:
  void fill_in(TomlNode& run) const {
    const auto set = [&](const char* key, const auto& known, const std::string& of) {
      if (const auto found = known.find(of); found != known.end()) {
        set_path(run, key, to_node(found->second));
      }
    };
    set("task.content", of_tasks_, text(run, "task") + text(run, "model.kind"));
    set("model.init_content", of_weights_, text(run, "model.init_from"));
  }
  // `run` as it was before fill_in().
  void note(const TomlNode& run, const RunConfig& config) {
    if (!config.task.content.empty()) {
      of_tasks_[text(run, "task") + text(run, "model.kind")] = config.task.content;
    }
    if (!config.model.init_content.empty()) {
      of_weights_[text(run, "model.init_from")] = config.model.init_content;
    }
  }

 private:
  static std::string text(const TomlNode& run, const char* path) {
    const TomlNode* node = find_path(run, path);
    return node == nullptr ? "" : to_toml_value(*node);
  }

  std::map<std::string, std::string> of_tasks_, of_weights_;
};

std::vector<Cell> read_cells(const std::vector<TomlNode>& runs) {
  std::vector<Cell> cells;
  std::set<std::string> texts;
  Contents contents;
  for (const TomlNode& run : runs) {
    Cell cell;
    TomlNode known = run;
    contents.fill_in(known);
    cell.config = read_run_config(known);
    contents.note(run, cell.config);
    if (!texts.insert(canonical_text(cell.config)).second) continue;
    cell.id = cell_id(cell.config);
    cell.settings = to_tree(cell.config);
    cells.push_back(std::move(cell));
  }
  return cells;
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

// The settings that all cells share, with [block] only where the file has its own.
TomlNode shared_settings(const TomlNode& root, const std::vector<Axis>& axes,
                         const std::vector<Cell>& cells) {
  TomlNode shared = cells.front().settings;
  for (const auto& [key, value] : leaves(cells.front().settings)) {
    const bool same = std::ranges::all_of(cells, [&, &dotted = key, &node = value](const Cell& c) {
      const TomlNode* other = find_path(c.settings, dotted);  // blocks have keys that others lack
      return other != nullptr && same_value(*other, node);
    });
    if (!same) erase_path(shared, key);
  }
  for (const Axis& axis : axes) erase_path(shared, axis.key);
  erase_path(shared, "block");
  if (find_path(root, "model.finish") == nullptr) erase_path(shared, "model.finish");
  if (const TomlNode* block = root.find("block")) {
    set_path(shared, "block",
             equation::to_tree(equation::read_block(own_block_name(root, axes), *block)));
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
  std::vector<Axis> varied = draft.axes;
  if (draft.origin) varied.push_back({"model.init_from", {}});
  if (experiment.search) varied.push_back({experiment.search->key, experiment.search->values});
  const TomlNode shared = shared_settings(draft.settings, varied, experiment.cells);
  for (const auto& entry : std::get<TomlNode::Table>(shared.value)) document.push_back(entry);
  if (!draft.axes.empty()) document.emplace_back("grid", to_tree(draft.axes));
  if (experiment.search) document.emplace_back("search", to_tree(*experiment.search));
  if (draft.origin) document.emplace_back("origin", *draft.origin);
  if (!claims.empty()) document.emplace_back("claim", TomlNode{std::move(claims), {}, {}, {}});
  return to_toml({std::move(document), {}, {}, {}});
}

std::vector<TomlNode> runs_of(const Draft& draft) {
  std::vector<TomlNode> runs = expand(draft.settings, draft.axes);
  assign_own_block(draft.settings, draft.axes, runs);
  return runs;
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
  const std::vector<Cell> cells = read_cells(runs_of(other));
  for (const Claim& claim : claims) check_selects(claim, cells, run_word(!variation.quick));
}

void check_claims(const std::vector<Claim>& claims, const std::optional<Search>& search) {
  for (const Claim& claim : claims) {
    for (const Selection* selection : {&claim.where, &claim.versus}) {
      for (const Axis& choice : *selection) {
        check_not_searched(search, choice.key, choice.values.front().place);
      }
    }
    check_not_searched(search, claim.along, claim.along_place);
  }
}

// Reads the rungs above the lowest once, to see that they are runs.
void check_rungs(const Search& search, const std::vector<Cell>& cells) {
  for (const Cell& cell : cells) {
    for (std::size_t rung = 1; rung < search.values.size(); ++rung) at_rung(cell, search, rung);
  }
}

}  // namespace

Cell at_rung(const Cell& cell, const Search& search, std::size_t rung) {
  TomlNode settings = cell.settings;
  set_path(settings, search.key, search.values[rung]);
  Cell run;
  run.config = read_run_config(settings);
  run.id = cell_id(run.config);
  run.settings = to_tree(run.config);
  return run;
}

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

  const std::vector<Axis> axes = read_axes(root.find("grid"));
  experiment.search = read_search(root.find("search"));
  const std::optional<Search>& search = experiment.search;
  for (const Axis& axis : axes) {
    check_not_searched(search, axis.key, axis.values.front().place);
  }
  const std::optional<TomlNode> quick = take(root, "quick");
  std::optional<TomlNode> origin = take(root, "origin");
  if (origin && search) {
    throw UserError(origin->key_place, "[origin] and [search] cannot go together",
                    "search the origin's file, or write a grid");
  }
  std::optional<TomlNode> claim_tables = take(root, "claim");
  if (claim_tables) shift_seeds(*claim_tables, variation.seed_offset);
  std::vector<Claim> claims = read_claims(claim_tables ? &*claim_tables : nullptr);
  check_claims(claims, search);
  TomlNode::Array claim_nodes;
  if (!claims.empty()) claim_nodes = std::get<TomlNode::Array>(claim_tables->value);
  for (const char* key : {"title", "grid", "search"}) erase_path(root, key);

  if (search) set_path(root, search->key, search->values.front());
  Draft draft{std::move(root), axes, search, std::move(origin)};
  if (quick) choose_size(*quick, claims, variation, draft);
  apply_overrides(variation, draft);
  shift_seeds(draft, variation.seed_offset);
  for (const Axis& axis : draft.axes) experiment.axes.push_back(axis.key);
  if (search) experiment.axes.push_back(search->key);

  std::vector<TomlNode> runs = runs_of(draft);
  if (draft.origin) experiment.origins = read_cells(begin_with_origins(*draft.origin, runs));
  experiment.cells = read_cells(runs);
  if (search) check_rungs(*search, experiment.cells);
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
