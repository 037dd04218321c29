#include "train/sgd.h"

#include <ATen/ATen.h>

#include <utility>

#include "config/schedule.h"

namespace layerlab::train {

std::vector<double> Sgd::coefficients(const config::RunConfig& run, std::int64_t step) const {
  return {config::learning_rate(run, step), run.train.weight_decay};
}

void Sgd::formula(Tensors& t, const std::vector<at::Tensor>& c) const {
  const at::Tensor &lr = c[0], &decay = c[1];
  t.weights = t.weights - lr * (t.gradients + decay * t.weights);
}

Momentum::Momentum(models::Parameters& parameters, std::vector<config::RunConfig> runs)
    : FormulaOptimizer(parameters, std::move(runs)) {
  add_state("velocity");
}

std::vector<double> Momentum::coefficients(const config::RunConfig& run, std::int64_t step) const {
  return {config::learning_rate(run, step), run.train.weight_decay, run.train.momentum};
}

void Momentum::formula(Tensors& t, const std::vector<at::Tensor>& c) const {
  const at::Tensor &lr = c[0], &decay = c[1], &momentum = c[2];
  at::Tensor& velocity = t.states[0];
  velocity = momentum * velocity + (t.gradients + decay * t.weights);
  t.weights = t.weights - lr * velocity;
}

}  // namespace layerlab::train
