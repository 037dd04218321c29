// An experiment before its grid is expanded, and the runs that it expands to.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "config/grid.h"
#include "config/run_config.h"
#include "config/search.h"
#include "core/toml.h"

namespace layerlab::config {

struct Draft {
  TomlNode settings;  // of all runs; an axis wins over them, and so does what is searched
  std::vector<Axis> axes;
  std::optional<Search> search;    // of none of the axes
  std::optional<TomlNode> origin;  // the table [origin], unread
};

// One run of the grid, and the settings that select it.
struct Cell {
  RunConfig config;
  std::string id;
  TomlNode settings;  // to_tree(config): what `where` is matched against
};

// From the tables of an experiment file that are about its runs. Throws UserError as read_axes()
// and read_search() do, for an axis that is searched, and for a search with an origin.
Draft read_draft(TomlNode tables);

// What model.block must say for a run to use the file's own [block].
std::string own_block_name(const Draft& draft);

// The runs, distinct and in the grid's order. Where something is searched, each stands for a
// combination of the axes and is its lowest rung. Throws UserError for settings that are no run, of
// other rungs too, for an empty grid, and for an own [block] that no run uses.
std::vector<Cell> cells_of(const Draft& draft);

// The run with these settings. Throws UserError as read_run_config() does.
Cell cell_of(const TomlNode& settings);

// `cell` with value number `rung` of what is searched. Throws UserError where that is no run.
Cell at_rung(const Cell& cell, const Search& search, std::size_t rung);

}  // namespace layerlab::config
