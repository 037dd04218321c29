// What [search] finds in the records: of each combination of the grid's axes the run with the
// largest value that passes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "claims/bisection.h"
#include "claims/measure.h"
#include "claims/reading.h"
#include "config/experiment.h"

namespace layerlab::claims {

// How far the search of a combination is.
struct Finding {
  std::vector<config::Cell> runs;    // looked at, in that order
  bool ended = false;                // else the last of them is not known yet
  std::optional<std::size_t> found;  // its rung, once the search has ended; none: all fail
  config::Cell run;                  // at that rung; without one the last looked at
};

class Finder {
 public:
  // Throws UserError where `passes` does not work.
  explicit Finder(const config::Search& search);

  // `combination` is one of Experiment::cells. A run passes that has ended, has not diverged and of
  // which `passes` is 1; where it has no number it fails. Throws UserError for another number and
  // for records that cannot be read.
  Finding find(const config::Cell& combination, const CellFolders& folders);

 private:
  Rung outcome_of(const config::Cell& run, const record::CellFolder& folder);

  config::Search search_;
  Measure passes_;
  ChanceLosses chance_losses_;
};

}  // namespace layerlab::claims
