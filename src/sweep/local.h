// Trains packs in worker processes on this machine.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sweep/plan.h"
#include "sweep/protocol.h"

namespace layerlab::sweep {

struct LocalOptions {
  std::filesystem::path worker;  // the program layerlab-worker
  std::string device = "cpu";    // for the worker's --device
  int jobs = 1;                  // workers at once
  int threads = 1;               // of each worker; jobs x threads should not exceed the cores
  // When workers are told to save their state and end.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

struct LocalOutcome {
  int finished = 0, diverged = 0;  // runs that have ended, here or in another process
  int elsewhere = 0;               // runs that other processes still train
  // Workers that failed: for what the user can mend, because somebody told them alone to stop, and
  // by a bug (worker_failure.h).
  int refused = 0, stopped = 0, crashed = 0;
  bool interrupted = false;
  bool out_of_time = false;  // the deadline passed before all was done
};

// Called for everything that happens, in this thread. `pack` is an index of `packs`. on_event gets
// the workers' events and, as messages of level error, why workers failed.
struct LocalListener {
  std::function<void(std::size_t pack, const Event& event)> on_event;
  std::function<void(std::size_t pack)> on_end;         // the pack's worker is gone
  std::function<void(int cells)> on_elsewhere;          // so many are trained by other processes
  std::function<void(const std::string& line)> on_log;  // whatever else workers print
};

// Starts a worker for each pack, `jobs` at once, and returns when all are gone. A worker that
// fails takes nobody with it. Cells that another process trains are left to it: when nothing else
// is to be done, this waits until they have ended, and trains those that were left unfinished.
// SIGINT, SIGTERM and SIGHUP are passed on: workers save their state and end, and no more are
// started; a second one kills them.
LocalOutcome train_locally(const std::vector<Pack>& packs, const LocalOptions& options,
                           const LocalListener& listener);

}  // namespace layerlab::sweep
