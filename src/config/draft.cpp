#include "config/draft.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/table_reader.h"

namespace layerlab::config {
namespace {

// Leaves [block] only in the runs that ask for it; the others take theirs from the catalogue.
void assign_own_block(const Draft& draft, std::vector<TomlNode>& runs) {
  const TomlNode* block = draft.settings.find("block");
  if (block == nullptr) return;
  const TomlNode own = to_node(own_block_name(draft));
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
    TomlNode known = run;
    contents.fill_in(known);
    Cell cell = cell_of(known);
    contents.note(run, cell.config);
    if (texts.insert(canonical_text(cell.config)).second) cells.push_back(std::move(cell));
  }
  return cells;
}

// Reads the rungs above the lowest once, to see that they are runs.
void check_rungs(const Search& search, const std::vector<Cell>& cells) {
  for (const Cell& cell : cells) {
    for (std::size_t rung = 1; rung < search.values.size(); ++rung) at_rung(cell, search, rung);
  }
}

}  // namespace

Draft read_draft(TomlNode tables) {
  Draft draft;
  draft.axes = read_axes(tables.find("grid"));
  draft.search = read_search(tables.find("search"));
  for (const Axis& axis : draft.axes) {
    check_not_searched(draft.search, axis.key, axis.values.front().place);
  }
  if (const TomlNode* const origin = tables.find("origin")) {
    draft.origin = *origin;
    if (draft.search) {
      throw UserError(origin->key_place, "[origin] and [search] cannot go together",
                      "write a grid instead of the search");
    }
  }
  for (const char* const key : {"grid", "search", "origin"}) erase_path(tables, key);
  draft.settings = std::move(tables);
  return draft;
}

std::string own_block_name(const Draft& draft) {
  const bool in_grid = std::ranges::find(draft.axes, "model.block", &Axis::key) != draft.axes.end();
  for (const char* path : {"block.name", in_grid ? "" : "model.block"}) {
    const TomlNode* node = find_path(draft.settings, path);
    const auto* name = node == nullptr ? nullptr : std::get_if<std::string>(&node->value);
    if (name != nullptr) return *name;
  }
  return "custom";
}

std::vector<Cell> cells_of(const Draft& draft) {
  TomlNode base = draft.settings;
  if (draft.search) set_path(base, draft.search->key, draft.search->values.front());
  std::vector<TomlNode> runs = expand(base, draft.axes);
  assign_own_block(draft, runs);
  std::vector<Cell> cells = read_cells(runs);
  if (draft.search) check_rungs(*draft.search, cells);
  return cells;
}

Cell cell_of(const TomlNode& settings) {
  Cell run;
  run.config = read_run_config(settings);
  run.id = cell_id(run.config);
  run.settings = to_tree(run.config);
  return run;
}

Cell at_rung(const Cell& cell, const Search& search, std::size_t rung) {
  TomlNode settings = cell.settings;
  set_path(settings, search.key, search.values[rung]);
  return cell_of(settings);
}

}  // namespace layerlab::config
