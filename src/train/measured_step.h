// A training step that is measured completely.
#pragma once

#include <cstdint>
#include <vector>

#include "probe/probe.h"
#include "train/batch.h"
#include "train/recorder.h"
#include "train/trainer.h"

namespace layerlab::train {

// Takes `step` on `batch` and writes all its rows: the analyses of the weights before it, its
// scalars, what `probe` measures, and events. `recorders` [R], null for runs that have ended.
// Returns the values of the step, [R]. Waits for the device. A run measures and a replay repeats by
// this one function, so that every table can be compared.
std::vector<StepValues> train_measured(Trainer& trainer, std::int64_t step, const Batch& batch,
                                       probe::Probe& probe,
                                       const std::vector<Recorder*>& recorders);

}  // namespace layerlab::train
