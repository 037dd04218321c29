// [search]: for each combination of the grid's axes, the largest value of a setting with which a
// run passes, as far as the records tell.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "claims/bisection.h"
#include "claims/chance_losses.h"
#include "claims/measure.h"
#include "config/experiment.h"
#include "record/cell.h"

namespace layerlab::claims {

// How far the search of one combination has come.
struct SearchResult {
  std::vector<config::Cell> runs;  // tried, in that order
  bool ended = false;              // else the last of `runs` must be known to go on
  std::optional<std::size_t>
      found;           // index of the value, once the search has ended; none: all fail
  config::Cell run;    // with that value; without one the last that was tried
  std::string damage;  // why the search cannot go on: what is damaged
};

class ThresholdSearch {
 public:
  // Throws UserError where `passes` does not work.
  explicit ThresholdSearch(const config::Search& search);

  // `combination` is one of Experiment::cells; runs are looked up in the results folder. A run
  // passes when it has ended, has not diverged and `passes` is 1; without a number it fails. Throws
  // UserError for any number but 0 and 1.
  SearchResult find(const config::Cell& combination, const std::filesystem::path& results);

  const config::Search& search() const { return search_; }

 private:
  Trial try_run(const config::Cell& run, const record::CellFolder& folder, std::string& damage);

  config::Search search_;
  Measure passes_;
  ChanceLosses chance_losses_;
};

}  // namespace layerlab::claims
