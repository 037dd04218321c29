// Trains a pack: runs of one shape, as replicas of one model.
#pragma once

#include <c10/core/Device.h>

#include <atomic>
#include <filesystem>
#include <vector>

#include "worker/report.h"

namespace layerlab::worker {

struct PackOptions {
  std::vector<std::filesystem::path> cells;  // folders, each with its config.toml
  at::Device device = at::kCPU;
  int threads = 1;
};

enum class PackOutcome { kDone, kInterrupted };

// Trains the cells from their newest checkpoints to the end, writing records, checkpoints,
// manifests and `done`. Those that go on from the same step train together. `report` hears of
// progress and of each cell that ends. When `stop` becomes true the state is saved after the
// current step.
// Two kinds of cells are reported and left as they are: those that have ended, as whoever trained
// them may have come first, and those that another process is training.
// Throws UserError, after the others have been trained, for a cell that cannot be: its
// configuration cannot be read, or is of another shape than the first one's.
PackOutcome train_pack(const PackOptions& options, const std::atomic<bool>& stop,
                       const Report& report);

}  // namespace layerlab::worker
