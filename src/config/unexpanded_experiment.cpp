#include "config/unexpanded_experiment.h"

#include <algorithm>
#include <set>
#include <utility>

#include "config/identity.h"
#include "config/resolve.h"
#include "config/run_config_toml.h"
#include "core/table_reader.h"

namespace layerlab::config {
namespace {

// Leaves [block] only in the runs that ask for it; the others take theirs from the catalogue.
void assign_own_block(const UnexpandedExperiment& experiment, std::vector<TomlNode>& runs) {
  const TomlNode* block = experiment.settings.find("block");
  if (block == nullptr) return;
  const TomlNode own = to_node(own_block_name(experiment));
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

Cell cell_of(const TomlNode& settings, Resolver& resolver) {
  Cell cell;
  cell.config = resolver.read(settings);
  cell.id = cell_id(cell.config);
  cell.settings = to_tree(cell.config);
  return cell;
}

}  // namespace

UnexpandedExperiment read_unexpanded(TomlNode tables) {
  UnexpandedExperiment experiment;
  experiment.axes = read_axes(tables.find("grid"));
  experiment.search = read_search(tables.find("search"));
  for (const Axis& axis : experiment.axes) {
    check_not_searched(experiment.search, axis.key, axis.values.front().place);
  }
  if (const TomlNode* const origin = tables.find("origin")) {
    experiment.origin = *origin;
    if (experiment.search) {
      throw UserError(origin->key_place, "[origin] and [search] cannot go together",
                      "write a grid instead of the search");
    }
  }
  for (const char* const key : {"grid", "search", "origin"}) erase_path(tables, key);
  experiment.settings = std::move(tables);
  return experiment;
}

std::string own_block_name(const UnexpandedExperiment& experiment) {
  const bool in_grid =
      std::ranges::find(experiment.axes, "model.block", &Axis::key) != experiment.axes.end();
  for (const char* path : {"block.name", in_grid ? "" : "model.block"}) {
    const TomlNode* node = find_path(experiment.settings, path);
    const auto* name = node == nullptr ? nullptr : std::get_if<std::string>(&node->value);
    if (name != nullptr) return *name;
  }
  return "custom";
}

std::vector<Cell> cells_of(const UnexpandedExperiment& experiment) {
  TomlNode base = experiment.settings;
  const std::optional<Search>& search = experiment.search;
  if (search) set_path(base, search->key, search->values.front());
  std::vector<TomlNode> runs = expand(base, experiment.axes);
  assign_own_block(experiment, runs);
  std::vector<Cell> cells;
  std::set<std::string> texts;
  Resolver resolver;
  for (const TomlNode& run : runs) {
    Cell cell = cell_of(run, resolver);
    if (texts.insert(canonical_text(cell.config)).second) cells.push_back(std::move(cell));
  }
  for (const Cell& cell : cells) {  // all must be runs
    for (std::size_t i = 1; search && i < search->values.size(); ++i)
      at_candidate(cell, *search, i);
  }
  return cells;
}

Cell cell_of(const TomlNode& settings) {
  Resolver resolver;
  return cell_of(settings, resolver);
}

Cell at_candidate(const Cell& cell, const Search& search, std::size_t candidate) {
  TomlNode settings = cell.settings;
  set_path(settings, search.key, search.values[candidate]);
  return cell_of(settings);
}

}  // namespace layerlab::config
