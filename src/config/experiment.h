// An experiment file: defaults, a grid over them, and claims about the outcome.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/claims.h"
#include "config/overrides.h"
#include "config/unexpanded_experiment.h"

namespace layerlab::config {

struct Experiment {
  std::string title;
  // What people call it: the file's stem, the parent folder's name for ".../experiment.toml", and
  // "run" without a file.
  std::string study;
  // The folder of its results: `study`, followed by what makes it another experiment: "-quick",
  // "-seeds+N" for an offset, a hash for overrides.
  std::string name;
  std::vector<Cell> cells;    // cells_of()
  std::vector<Cell> origins;  // whose last weights the cells begin with, where there is an [origin]
  std::optional<Search> search;
  std::vector<std::string> axes;  // dotted keys of the grid, in the file's order; then search.key
  std::vector<Claim> claims;      // those that select at least one run
  std::vector<std::string> warnings;  // one line each, for people
  std::string resolved_text;          // a file that says the same with every default written
};

// Reads FILE ("" for the defaults alone; a folder stands for the one TOML file in it), applies the
// overrides and expands the grid. A file without [quick] is the same in both sizes. Throws
// UserError for whatever is wrong, including an empty grid, claims that select no run in one of the
// two sizes, and an axis, a claim or an override that sets what is searched. Where settings of the
// command line leave a claim without runs, the claim is dropped.
Experiment load_experiment(const std::string& file, const Overrides& overrides = {});

}  // namespace layerlab::config
