#include "train/adam.h"

#include <ATen/ATen.h>

#include <optional>
#include <utility>

#include "config/schedule.h"

namespace layerlab::train {

using config::OptimizerKind;

FusedAdam::FusedAdam(models::Parameters& parameters, std::vector<config::RunConfig> runs)
    : Optimizer(parameters, std::move(runs)),
      weights_(parameters.values().unbind()),
      gradients_(parameters.gradients().unbind()),
      first_(states()[0].values.unbind()),
      second_(states()[1].values.unbind()) {}

void FusedAdam::prepare(std::int64_t step) {
  step_ = step;
  const at::Tensor frozen = alive().logical_not().to(at::kFloat);
  skipped_ = frozen.unbind();
  updates_ = at::full_like(frozen, static_cast<double>(step + 1)).unbind();
}

void FusedAdam::update_columns(const models::Parameters::Group& columns) {
  const OptimizerKind kind = runs_.front().train.optimizer;
  if (kind == OptimizerKind::kGiAdam && step_ == 0) start_second_moment(columns);
  // torch's kernel for one replica, a single pass over its row. The signature picks the overload
  // whose learning rate is a plain number.
  using Fused =
      void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList,
               at::TensorList, double, double, double, double, double, bool, bool,
               const std::optional<at::Tensor>&, const std::optional<at::Tensor>&);
  const Fused fused = kind == OptimizerKind::kAdamW ? static_cast<Fused>(at::_fused_adamw_)
                                                    : static_cast<Fused>(at::_fused_adam_);
  const auto part = [&](const at::Tensor& row) {
    return row.narrow(0, columns.begin, columns.count);
  };
  for (std::int64_t r = 0; r < parameters_.replicas(); ++r) {
    const config::TrainConfig& s = runs_[r].train;
    fused({part(weights_[r])}, {part(gradients_[r])}, {part(first_[r])}, {part(second_[r])},
          /*max_exp_avg_sqs=*/{}, {updates_[r]}, config::learning_rate(runs_[r], step_), s.betas[0],
          s.betas[1], s.weight_decay, s.eps, /*amsgrad=*/false, /*maximize=*/false,
          /*grad_scale=*/{}, /*found_inf=*/skipped_[r]);
  }
}

void FusedAdam::start_second_moment(const models::Parameters::Group& columns) {
  const at::Tensor second = columns.part(states()[1].values);
  for (std::int64_t r = 0; r < parameters_.replicas(); ++r) {
    const at::Tensor g = columns.part(parameters_.gradients())[r] +
                         runs_[r].train.weight_decay * columns.part(parameters_.values())[r];
    second[r].copy_(at::where(alive()[r], g * g, second[r]));
  }
}

}  // namespace layerlab::train
