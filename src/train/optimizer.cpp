#include "train/optimizer.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <utility>

#include "train/adam.h"
#include "train/lion.h"
#include "train/radam.h"
#include "train/sgd.h"

namespace layerlab::train {

Optimizer::Optimizer(models::Parameters& parameters, std::vector<config::RunConfig> runs)
    : parameters_(parameters),
      runs_(std::move(runs)),
      alive_(at::ones({parameters.replicas()}, parameters.values().options().dtype(at::kBool))) {}

void Optimizer::step(std::int64_t step, const at::Tensor& finite, const Walk& walk) {
  const c10::AutoGradMode no_gradients(false);
  alive_.logical_and_(finite);
  const Walk at_once = [&](const models::GroupFunction& update) { update(parameters_.all()); };
  update(step, walk ? walk : at_once);
}

at::Tensor Optimizer::add_state(const std::string& name) {
  return states_.emplace_back(name, at::zeros_like(parameters_.values())).values;
}

std::unique_ptr<Optimizer> make_optimizer(models::Parameters& parameters,
                                          std::vector<config::RunConfig> runs) {
  switch (runs.front().train.optimizer) {
    case config::OptimizerKind::kSgd:
      return std::make_unique<Sgd>(parameters, std::move(runs));
    case config::OptimizerKind::kMomentum:
      return std::make_unique<Momentum>(parameters, std::move(runs));
    case config::OptimizerKind::kAdam:
    case config::OptimizerKind::kAdamW:
    case config::OptimizerKind::kGiAdam:
      return std::make_unique<Adam>(parameters, std::move(runs));
    case config::OptimizerKind::kRadam:
      return std::make_unique<Radam>(parameters, std::move(runs));
    case config::OptimizerKind::kLion:
      return std::make_unique<Lion>(parameters, std::move(runs));
  }
  return nullptr;
}

}  // namespace layerlab::train
