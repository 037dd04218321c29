// Repeats one step of a run: `layerlab replay`.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <filesystem>

#include "worker/report.h"

namespace layerlab::worker {

struct ReplayOptions {
  std::filesystem::path cell;    // its folder, which stays as it is
  std::int64_t step = 0;         // on its record
  std::filesystem::path record;  // where the step's measurements go; replaced
  at::Device device = at::kCPU;
};

// Goes from the run's newest whole checkpoint at or before `step` to that step, takes it with every
// place measured and the run's analyses repeated, and writes its rows, events included, to a record
// of its own. On the CPU they are bit-equal to the run's with the same build and number of threads.
// `report` hears of what is repeated and of damaged checkpoints. Throws UserError as read_run()
// does.
void replay(const ReplayOptions& options, const Report& report);

}  // namespace layerlab::worker
