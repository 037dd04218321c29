// Adam, AdamW and GI-Adam by torch's fused kernel.
#pragma once

#include "train/optimizer.h"

namespace layerlab::train {

// With g the gradient, t = step + 1 and betas (b1, b2):
//   m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2
//   w <- w - lr m / (1 - b1^t) / (sqrt(v / (1 - b2^t)) + eps)
// adam:    weight_decay w is added to g (Kingma & Ba 2015, arXiv 1412.6980, algorithm 1)
// adamw:   first w <- w - lr weight_decay w (Loshchilov & Hutter 2019, arXiv 1711.05101)
// gi_adam: adam whose v starts as the square of the first g instead of 0. The correction by
//          1 - b2^t stays and warms up: the first updates are lr sqrt(1 - b2^t) large
//          (Kalra & Barkeshli 2024, arXiv 2406.09405).
class FusedAdam : public Optimizer {
 public:
  FusedAdam(models::Parameters& parameters, std::vector<config::RunConfig> runs);

 private:
  void prepare(std::int64_t step) override;
  void update_columns(const models::Parameters::Group& columns) override;
  void start_second_moment(const models::Parameters::Group& columns);

  std::vector<at::Tensor> weights_, gradients_, first_, second_;  // by replica, [P]
  std::int64_t step_ = 0;
  std::vector<at::Tensor> skipped_;  // by replica: 1 where it is frozen
  std::vector<at::Tensor> updates_;  // by replica: t
};

}  // namespace layerlab::train
