#include "train/adam.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <optional>
#include <utility>

#include "train/schedule.h"

namespace layerlab::train {
namespace {

// torch's kernel for one replica: a single pass over its row.
auto kernel(config::OptimizerKind optimizer) {
  // The signature picks the overload whose learning rate is a plain number.
  using Fused =
      void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList,
               at::TensorList, double, double, double, double, double, bool, bool,
               const std::optional<at::Tensor>&, const std::optional<at::Tensor>&);
  switch (optimizer) {
    case config::OptimizerKind::kAdam:
      return static_cast<Fused>(at::_fused_adam_);
    case config::OptimizerKind::kAdamW:
      return static_cast<Fused>(at::_fused_adamw_);
  }
  return Fused{};
}

}  // namespace

Adam::Adam(models::Parameters& parameters, std::vector<config::TrainConfig> settings)
    : parameters_(parameters),
      settings_(std::move(settings)),
      first_moment_(at::zeros_like(parameters.values())),
      second_moment_(at::zeros_like(parameters.values())),
      alive_(at::ones({parameters.replicas()}, parameters.values().options().dtype(at::kBool))) {}

void Adam::step(std::int64_t step, const at::Tensor& finite) {
  const c10::AutoGradMode no_gradients(false);
  alive_.logical_and_(finite);
  const auto options = alive_.options().dtype(at::kFloat);
  const at::Tensor frozen = alive_.logical_not().to(at::kFloat);  // the kernel skips where it is 1
  const at::Tensor updates =
      at::full({parameters_.replicas()}, static_cast<double>(step + 1), options);
  for (std::int64_t r = 0; r < parameters_.replicas(); ++r) {
    const config::TrainConfig& s = settings_[r];
    kernel(s.optimizer)({parameters_.values()[r]}, {parameters_.gradients()[r]}, {first_moment_[r]},
                        {second_moment_[r]}, /*max_exp_avg_sqs=*/{}, {updates[r]},
                        learning_rate(s, step), s.betas[0], s.betas[1], s.weight_decay, s.eps,
                        /*amsgrad=*/false, /*maximize=*/false,
                        /*grad_scale=*/{}, /*found_inf=*/frozen[r]);
  }
}

}  // namespace layerlab::train
