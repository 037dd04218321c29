// How well a model does on examples that it was not trained on.
//   const Evaluation held_out = evaluate(model, train, task, device);
#pragma once

#include <ATen/core/Tensor.h>

#include "config/run_config.h"
#include "models/stack.h"
#include "tasks/task.h"

namespace layerlab::train {

// One number for each replica: [R].
struct Evaluation {
  at::Tensor loss;      // as in StepResult
  at::Tensor accuracy;  // as in StepResult; NaN where there are no classes
};

// Means over the scored positions of train.eval_batches held-out batches of train.batch sequences:
// the same examples for every replica, whatever its seed, at every call. No dropout.
Evaluation evaluate(models::Stack& model, const config::TrainConfig& train, const tasks::Task& task,
                    at::Device device);

}  // namespace layerlab::train
