// The loss of guessing, for each run that a claim asks about.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "config/experiment.h"

namespace layerlab::claims {

// Computed once for each task and kind of model: some tasks read a file for it.
class ChanceLosses {
 public:
  // Throws UserError where the task cannot be made.
  double of(const config::Cell& cell);

 private:
  std::map<std::pair<config::ModelKind, std::string>, double> known_;
};

}  // namespace layerlab::claims
