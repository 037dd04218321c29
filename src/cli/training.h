// Training what an experiment lacks, as `run` and `verify` do it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/command.h"
#include "config/experiment.h"

namespace layerlab::cli {

struct TrainOptions {
  std::optional<int> jobs, threads;  // workers at once; threads of each
  std::optional<int> replicas;       // most runs that a worker trains as one model
  std::string device = "auto";
  std::filesystem::path results = "results";
};

void add_train_options(CLI::App& app, TrainOptions& options);

struct TrainOutcome {
  int finished = 0, diverged = 0;  // runs that have ended, now or before
  int unfinished = 0;              // runs that have not
  int code = 0;                    // why: kInterrupted, kOurBug, kUserError; kDone where all ended
};

// Trains what is missing and shows how it goes on standard error.
TrainOutcome train_missing(const config::Experiment& experiment, const TrainOptions& options,
                           const Globals& globals);

}  // namespace layerlab::cli
