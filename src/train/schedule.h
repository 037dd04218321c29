// Learning-rate schedules as pure functions of the settings and the step.
#pragma once

#include <cstdint>

#include "config/run_config.h"

namespace layerlab::train {

// The learning rate of update `step`, counted from 0. Linear warmup takes (step + 1) / warmup of
// train.lr, so the first update already moves and update warmup - 1 has the full rate.
double learning_rate(const config::TrainConfig& train, std::int64_t step);

}  // namespace layerlab::train
