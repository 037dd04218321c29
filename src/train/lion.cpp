#include "train/lion.h"

#include <ATen/ATen.h>

#include <utility>

#include "config/schedule.h"

namespace layerlab::train {

Lion::Lion(models::Parameters& parameters, std::vector<config::RunConfig> runs)
    : FormulaOptimizer(parameters, std::move(runs)) {
  add_state("first_moment");
}

std::vector<double> Lion::coefficients(const config::RunConfig& run, std::int64_t step) const {
  const auto [b1, b2] = run.train.betas;
  return {config::learning_rate(run, step), run.train.weight_decay, b1, 1 - b1, b2, 1 - b2};
}

void Lion::formula(Tensors& t, const std::vector<at::Tensor>& c) const {
  const at::Tensor &lr = c[0], &decay = c[1], &b1 = c[2], &rest1 = c[3], &b2 = c[4], &rest2 = c[5];
  at::Tensor& m = t.states[0];
  const at::Tensor direction = (b1 * m + rest1 * t.gradients).sign();
  t.weights = t.weights - lr * (direction + decay * t.weights);
  m = b2 * m + rest2 * t.gradients;
}

}  // namespace layerlab::train
