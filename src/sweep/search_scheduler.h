// Which runs to train next where [search] looks for a threshold.
#pragma once

#include <filesystem>
#include <vector>

#include "claims/threshold_search.h"
#include "config/experiment.h"
#include "sweep/plan.h"

namespace layerlab::sweep {

// Several experiments are trained together, round after round. The first round has all runs of
// those that search nothing, and for the others the first run of each combination's bisection; the
// next rounds add the runs that the searches then need.
class SearchScheduler {
 public:
  // `results`: the folder of all results. Throws UserError where `passes` of a search does not
  // work, and as ThresholdSearch::find() does.
  SearchScheduler(const Experiments& experiments, std::filesystem::path results);

  // All of them, with the runs of all rounds until now.
  Experiments experiments() const;

  // Goes on to the next round by what is known of the runs. False where no search needs one.
  bool advance();

 private:
  struct Searching {
    const config::Experiment* experiment;
    claims::ThresholdSearch search;
    config::Experiment round;  // the same with its runs until now
  };

  bool advance(Searching& searching) const;

  std::filesystem::path results_;
  Experiments others_;
  std::vector<Searching> searching_;
};

}  // namespace layerlab::sweep
