#include "train/radam.h"

#include <ATen/ATen.h>

#include <cmath>
#include <utility>

#include "config/schedule.h"

namespace layerlab::train {

Radam::Radam(models::Parameters& parameters, std::vector<config::RunConfig> runs)
    : FormulaOptimizer(parameters, std::move(runs)) {
  add_state("first_moment");
  add_state("second_moment");
}

std::vector<double> Radam::coefficients(const config::RunConfig& run, std::int64_t step) const {
  const config::TrainConfig& train = run.train;
  const auto [b1, b2] = train.betas;
  const double t = static_cast<double>(step + 1);
  const double bias1 = 1 - std::pow(b1, t), bias2 = 1 - std::pow(b2, t);
  const double most = 2 / (1 - b2) - 1;
  const double length = most - 2 * t * (1 - bias2) / bias2;
  double rate = config::learning_rate(run, step) / bias1;
  const bool adaptive = length > 5;
  if (adaptive) {
    rate *=
        std::sqrt(bias2 * (length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length));
  }
  return {rate, adaptive ? 1.0 : 0.0, train.weight_decay, b1, 1 - b1, b2, 1 - b2, train.eps};
}

void Radam::formula(Tensors& t, const std::vector<at::Tensor>& c) const {
  const at::Tensor &rate = c[0], &adaptive = c[1], &decay = c[2], &b1 = c[3], &rest1 = c[4],
                   &b2 = c[5], &rest2 = c[6], &eps = c[7];
  at::Tensor &m = t.states[0], &v = t.states[1];
  const at::Tensor g = t.gradients + decay * t.weights;
  m = b1 * m + rest1 * g;
  v = b2 * v + rest2 * g * g;
  t.weights = t.weights - rate * m / at::where(adaptive > 0, v.sqrt() + eps, 1.0);
}

}  // namespace layerlab::train
