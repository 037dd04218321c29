// Training in rounds, as far as something is searched.
#pragma once

#include <vector>

#include "claims/finder.h"
#include "claims/reading.h"
#include "config/experiment.h"
#include "sweep/plan.h"

namespace layerlab::cli {

// Round after round of what several experiments train together. The first has all runs of those
// that search nothing, and the first rung of each combination of the others; the next have of these
// what their searches then come to.
class Rounds {
 public:
  // Throws UserError where the `passes` of a search does not work, and as Finder::find() does.
  Rounds(const sweep::Experiments& experiments, claims::CellFolders folders);

  // All of them, with the runs of all rounds until now.
  sweep::Experiments experiments() const;

  // Goes on to the next round by what is known of the runs. False where no search needs one.
  bool advance();

 private:
  struct Searching {
    const config::Experiment* experiment;
    claims::Finder finder;
    config::Experiment round;  // the same with its runs until now
  };

  bool advance(Searching& searching) const;

  claims::CellFolders folders_;
  sweep::Experiments others_;
  std::vector<Searching> searching_;
};

}  // namespace layerlab::cli
