// Trains a pack: runs of one shape, as replicas of one model.
#pragma once

#include <c10/core/Device.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sweep/protocol.h"

namespace layerlab::worker {

struct PackOptions {
  std::vector<std::filesystem::path> cells;  // folders, each with its config.toml
  at::Device device = at::kCPU;
  int threads = 1;
};

using Report = std::function<void(const sweep::Event&)>;

enum class PackOutcome { kDone, kInterrupted };

// Trains the cells from their newest common checkpoint to the end, writing records, checkpoints,
// manifests and `done`. Cells that have ended already are reported and stay as they are; the others
// train without them. `report` hears of progress and of each cell that ends. When `stop` becomes
// true the state is saved after the current step.
// Throws UserError where a configuration cannot be read, the cells are of different shapes, or
// one is being trained by another process.
PackOutcome train_pack(const PackOptions& options, const std::atomic<bool>& stop,
                       const Report& report);

}  // namespace layerlab::worker
