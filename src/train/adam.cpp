#include "train/adam.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <utility>

#include "train/schedule.h"

namespace layerlab::train {

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
    const double lr = learning_rate(s, step);
    const auto fused = [&](auto kernel) {
      kernel({parameters_.values()[r]}, {parameters_.gradients()[r]}, {first_moment_[r]},
             {second_moment_[r]}, {}, {updates[r]}, lr, s.betas[0], s.betas[1], s.weight_decay,
             s.eps, /*amsgrad=*/false, /*maximize=*/false, /*grad_scale=*/{}, frozen[r]);
    };
    switch (s.optimizer) {
      case config::OptimizerKind::kAdam:
        fused([](at::TensorList p, auto&&... rest) { at::_fused_adam_(p, rest...); });
        break;
      case config::OptimizerKind::kAdamW:
        fused([](at::TensorList p, auto&&... rest) { at::_fused_adamw_(p, rest...); });
        break;
    }
  }
}

}  // namespace layerlab::train
