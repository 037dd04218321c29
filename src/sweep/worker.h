// The worker program: where it is, what it can do, and how many of it the machine can run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sweep/protocol.h"

namespace layerlab::sweep {

// LAYERLAB_WORKER, else layerlab-worker beside this program.
// Throws UserError when there is no such program.
std::filesystem::path find_worker();

// Environment variables that libraries under torch read when they are loaded.
std::vector<std::string> thread_variables(int threads);

// Asks a worker for its version, which loads LibTorch: some tenths of a second.
// Throws UserError when it gives no answer.
WorkerVersion ask_version(const std::filesystem::path& worker);

// The device that "auto" stands for, and others as they are. Asks the worker only where a GPU is
// involved. Throws UserError for words that are no device, and for a GPU the worker cannot use.
std::string resolve_device(const std::string& text, const std::filesystem::path& worker);

struct Share {
  int jobs, threads;
};

// Jobs and threads a job, where the user asked for `jobs` and `threads` of the machine's `cores`;
// nothing stands for a default: one thread, and as many jobs as there are cores for, or a single
// one on a GPU. Throws UserError when they need more cores than there are: two threads on one core
// take turns at waiting for each other, and four times the time.
Share share_cores(std::optional<int> jobs, std::optional<int> threads, int cores, bool gpu);

}  // namespace layerlab::sweep
