// `verify --settle`: more seeds for the claims that are undecided.
#pragma once

#include <string>
#include <vector>

#include "claims/answer.h"
#include "cli/command.h"
#include "cli/training.h"
#include "config/experiment.h"

namespace layerlab::cli {

struct Settlement {
  std::vector<claims::Answer> answers;
  int code = 0;  // of training that was interrupted or failed
};

// Trains and judges look after look (claims/settle.h) until no claim is open that more seeds could
// close, or `budget` seconds have gone by since the first look; workers that are at work then save
// their state. The first look is the file's own runs and takes what it takes.
// `experiment` is `file` with `variation`.
Settlement settle(const config::Experiment& experiment, const std::string& file,
                  const config::Variation& variation, double budget, const TrainOptions& options,
                  const Globals& globals);

}  // namespace layerlab::cli
