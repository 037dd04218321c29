// A model's forward pass on a batch, to the loss.
#pragma once

#include "config/run_config.h"
#include "models/dropout.h"
#include "models/stack.h"
#include "models/tap.h"
#include "train/batch.h"
#include "train/loss.h"

namespace layerlab::train {

// What the model reads of a batch. Features are numbers of the data's own type: the model's may be
// wider.
models::StackInput model_input(const config::TrainConfig& train, const Batch& batch);

// In the dtype that `train` names; observers and `dropout` as models::Stack has them, `count` as
// score().
Loss forward(models::Stack& model, const config::TrainConfig& train, const Batch& batch,
             const at::Tensor& count, const models::Observers& observers = {},
             const models::Dropout* dropout = nullptr);

}  // namespace layerlab::train
