// Learning-rate schedules as pure functions of the settings and the step.
#pragma once

#include <cstdint>

#include "config/run_config.h"

namespace layerlab::config {

// The learning rate of update `step`, counted from 0: train.lr times two factors, with t = step +
// 1, W = train.warmup, N = train.steps and f = train.final_lr.
//
// The warmup, 1 where W = 0:
//   linear       min(1, t / W): the first update already moves, update W - 1 has the full rate
//   exponential  1 - exp(-t / W), to the end (Ma & Yarats 2019, arXiv 1910.04209, section 5)
//
// The schedule, 1 before step W; p is the part done, (step - W) / (N - W):
//   constant      1
//   linear        1 - (1 - f) p
//   cosine        f + (1 - f) (1 + cos(pi p)) / 2 (Loshchilov & Hutter 2017, arXiv 1608.03983)
//   inverse_sqrt  sqrt(max(W, 1) / t)
//   wsd           1, then 1 - (1 - f) p with p = (step - (N - K)) / K over the last K = train.decay
//                 updates (Hu et al. 2024, arXiv 2404.06395; linear as in Haegele et al. 2024,
//                 arXiv 2405.18392)
// f would be reached by update N, the one after the last, so none is wasted where f = 0.
//
// noam replaces both: D^(-1/2) min(t^(-1/2), t W^(-3/2)) (Vaswani et al. 2017, arXiv 1706.03762,
// section 5.3), D being model.width; train.lr is then a factor of order 1.
double learning_rate(const RunConfig& run, std::int64_t step);

}  // namespace layerlab::config
