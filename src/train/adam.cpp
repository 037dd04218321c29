#include "train/adam.h"

#include <ATen/ATen.h>

#include <optional>
#include <utility>

#include "config/schedule.h"

namespace layerlab::train {

Adam::Adam(models::Parameters& parameters, std::vector<config::RunConfig> runs)
    : Optimizer(parameters, std::move(runs)),
      first_moment_(add_state("first_moment")),
      second_moment_(add_state("second_moment")) {}

void Adam::update(std::int64_t step, const Walk& walk) {
  const config::OptimizerKind kind = runs_.front().train.optimizer;
  // torch's kernel for one replica, a single pass over its row. The signature picks the overload
  // whose learning rate is a plain number.
  using Fused =
      void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList,
               at::TensorList, double, double, double, double, double, bool, bool,
               const std::optional<at::Tensor>&, const std::optional<at::Tensor>&);
  const Fused fused = kind == config::OptimizerKind::kAdamW ? static_cast<Fused>(at::_fused_adamw_)
                                                            : static_cast<Fused>(at::_fused_adam_);
  const at::Tensor frozen = alive().logical_not().to(at::kFloat);  // the kernel skips where it is 1
  const std::vector<at::Tensor> skips = frozen.unbind();
  const std::vector<at::Tensor> updates =
      at::full_like(frozen, static_cast<double>(step + 1)).unbind();
  const std::vector<at::Tensor> weights = parameters_.values().unbind(),
                                gradients = parameters_.gradients().unbind(),
                                first = first_moment_.unbind(), second = second_moment_.unbind();
  walk([&](const models::Parameters::Group& columns) {
    if (kind == config::OptimizerKind::kGiAdam && step == 0) start_second_moment(columns);
    const auto part = [&](const at::Tensor& row) {
      return row.narrow(0, columns.begin, columns.count);
    };
    for (std::int64_t r = 0; r < parameters_.replicas(); ++r) {
      const config::TrainConfig& s = runs_[r].train;
      fused({part(weights[r])}, {part(gradients[r])}, {part(first[r])}, {part(second[r])},
            /*max_exp_avg_sqs=*/{}, {updates[r]}, config::learning_rate(runs_[r], step), s.betas[0],
            s.betas[1], s.weight_decay, s.eps, /*amsgrad=*/false, /*maximize=*/false,
            /*grad_scale=*/{}, /*found_inf=*/skips[r]);
    }
  });
}

void Adam::start_second_moment(const models::Parameters::Group& columns) {
  const at::Tensor second = columns.part(second_moment_);
  for (std::int64_t r = 0; r < parameters_.replicas(); ++r) {
    const at::Tensor g = columns.part(parameters_.gradients())[r] +
                         runs_[r].train.weight_decay * columns.part(parameters_.values())[r];
    second[r].copy_(at::where(alive()[r], g * g, second[r]));
  }
}

}  // namespace layerlab::train
