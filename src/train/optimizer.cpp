#include "train/optimizer.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <string>
#include <string_view>
#include <utility>

#include "config/optimizers.h"

namespace layerlab::train {

Optimizer::Optimizer(models::Parameters& parameters, std::vector<config::RunConfig> runs)
    : parameters_(parameters),
      runs_(std::move(runs)),
      alive_(at::ones({parameters.replicas()}, parameters.values().options().dtype(at::kBool))) {
  for (const std::string_view name : config::optimizer(runs_.front().train.optimizer).states) {
    if (name.empty()) continue;
    states_.push_back({std::string(name), at::zeros_like(parameters.values())});
  }
}

void Optimizer::begin(std::int64_t step, const at::Tensor& finite) {
  const c10::AutoGradMode no_gradients(false);
  alive_.logical_and_(finite);
  prepare(step);
}

void Optimizer::update(const models::Parameters::Group& group) {
  const c10::AutoGradMode no_gradients(false);
  update_columns(group);
}

}  // namespace layerlab::train
