// Why a worker failed, told to a person.
#pragma once

#include <deque>
#include <filesystem>
#include <string>

#include "sweep/process.h"

namespace layerlab::sweep {

// A worker's last words, besides how it ended.
struct LastWords {
  std::deque<std::string> errors;  // the last lines of its standard error
  std::string misunderstood = {};  // an event that makes no sense
  bool spoke = false;              // an event that does

  void add(const std::string& line);
};

struct WorkerFailure {
  int code;          // kUserError, kInterrupted or kOurBug
  std::string text;  // with a remedy, unless it is a bug
};

// REQUIRES: the worker did not do what it was told. `name` begins the text: "the worker of cell
// 3f9c"; a user's mistake is told in the worker's own line. It is the user's to mend when memory or
// another of the system's limits ended it, when it cannot be started, and when `program` was
// named by LAYERLAB_WORKER and is no layerlab-worker. It was interrupted when somebody told it
// alone to stop. All else is a bug.
WorkerFailure explain(const Exit& exit, const LastWords& words, const std::string& name,
                      const std::filesystem::path& program);

}  // namespace layerlab::sweep
