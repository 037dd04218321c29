// One training step of all replicas.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "models/parameters.h"
#include "models/stack.h"
#include "probe/probe.h"
#include "train/adam.h"
#include "train/batch.h"

namespace layerlab::train {

// What a step says of itself, one number for each replica, on the device. [R] each.
struct StepResult {
  at::Tensor loss;               // before the update
  at::Tensor accuracy;           // before the update
  at::Tensor grad_norm;          // as backward left it
  at::Tensor grad_norm_clipped;  // as the optimiser saw it
};

// Forward, backward, clip (`limits` [R], infinity: no clipping), update. A replica whose loss or
// gradient is not finite is frozen by the optimiser. `probe` may be null; it changes nothing of
// what is computed. Nothing waits for the device.
StepResult train_step(models::Stack& model, models::Parameters& parameters, Adam& optimizer,
                      const Batch& batch, std::int64_t step, const at::Tensor& limits,
                      probe::Probe* probe);

}  // namespace layerlab::train
