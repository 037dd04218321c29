// Training what experiments lack, as `run` and `verify` do it.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "sweep/plan.h"

namespace layerlab::cli {

struct TrainOptions {
  std::optional<int> jobs, threads;  // workers at once; threads of each
  std::optional<int> replicas;       // most runs that a worker trains as one model
  std::string device = "auto";
  std::filesystem::path results = "results";
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  // no option: verify's budget
};

void add_train_options(CLI::App& app, TrainOptions& options);

struct TrainOutcome {
  int finished = 0, diverged = 0;  // runs that have ended, now or before
  int unfinished = 0;              // runs that have not
  int waiting = 0;                 // of them, for weights of others that have not either
  std::vector<record::CellFolder> damaged = {};  // of them, which cannot be gone on with
  bool out_of_time = false;                      // the deadline passed before they had
  int code = 0;  // why else: kInterrupted, kOurBug, kUserError; kDone where all ended
};

// Trains what is missing as one plan and shows progress on standard error. A [search] adds more
// such plans, round after round (sweep/search_scheduler.h).
TrainOutcome train_missing(const sweep::Experiments& experiments, const TrainOptions& options,
                           const Globals& globals);

}  // namespace layerlab::cli
