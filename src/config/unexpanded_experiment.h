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

struct UnexpandedExperiment {
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
UnexpandedExperiment read_unexpanded(TomlNode tables);

// What model.block must say for a run to use the file's own [block].
std::string own_block_name(const UnexpandedExperiment& experiment);

// The runs, distinct and in the grid's order. With a search, each stands for a combination of the
// axes and is its lowest candidate. Throws UserError for settings that are no run, of other
// candidates too, for an empty grid, and for an own [block] that no run uses.
std::vector<Cell> cells_of(const UnexpandedExperiment& experiment);

// The run with these settings. Throws UserError as Resolver::read() does.
Cell cell_of(const TomlNode& settings);

// `cell` with value number `candidate` of what is searched. Throws UserError where that is no run.
Cell at_candidate(const Cell& cell, const Search& search, std::size_t candidate);

}  // namespace layerlab::config
