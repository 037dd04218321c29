// A model's forward pass on a batch, to the loss.
//   const Loss loss = forward(model, train, batch, scored_count(batch.targets));
#pragma once

#include "config/run_config.h"
#include "models/dropout.h"
#include "models/stack.h"
#include "models/tap.h"
#include "train/batch.h"
#include "train/loss.h"

namespace layerlab::train {

// The model's input of a batch. Features are converted where the model's type is wider than theirs.
models::StackInput model_input(const config::TrainConfig& train, const Batch& batch);

// In the dtype that `train` names; observers and `dropout` as models::Stack has them, `count` as
// score().
Loss forward(models::Stack& model, const config::TrainConfig& train, const Batch& batch,
             const at::Tensor& count, const models::Observers& observers = {},
             const models::Dropout* dropout = nullptr);

}  // namespace layerlab::train
