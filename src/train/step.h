// One training step of all replicas: forward, backward, clip, update.
//   const StepResult result = train_step(model, parameters, *optimizer, train, batch, step, limits,
//                                        /*probe=*/nullptr);
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

#include "config/run_config.h"
#include "models/parameters.h"
#include "models/stack.h"
#include "probe/probe.h"
#include "train/batch.h"
#include "train/loss.h"
#include "train/optimizer.h"

namespace layerlab::train {

// The scalars of a step, one number for each replica, on the device. [R] each.
struct StepResult {
  at::Tensor loss;               // before the update; without label smoothing and z-loss
  at::Tensor accuracy;           // before the update; NaN for targets that are no classes
  at::Tensor grad_norm;          // as backward left it
  at::Tensor grad_norm_clipped;  // as the optimiser saw it
};

// Forward and backward: fills the gradients of `parameters` and returns the losses. The batch is
// split into train.accumulate parts whose gradients add up to those of the whole; `observers_of`
// returns the observers of a part.
Loss backpropagate(models::Stack& model, models::Parameters& parameters,
                   const config::TrainConfig& train, const Batch& batch, std::int64_t step,
                   const std::function<models::Observers(int part)>& observers_of);

// `train` holds what the replicas have in common: label smoothing, z-loss, dtype, and the number of
// parts. Gradients are clipped to `limits` [R]; infinity: never. A replica whose loss or gradient
// is not finite is frozen by the optimiser. `probe` may be null; it changes nothing of what is
// computed, and sees the values of the first part. Nothing waits for the device.
StepResult train_step(models::Stack& model, models::Parameters& parameters, Optimizer& optimizer,
                      const config::TrainConfig& train, const Batch& batch, std::int64_t step,
                      const at::Tensor& limits, probe::Probe* probe);

}  // namespace layerlab::train
