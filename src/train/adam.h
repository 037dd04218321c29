// Adam and AdamW on all parameters at once, with settings of its own for every replica.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "config/run_config.h"
#include "models/parameters.h"

namespace layerlab::train {

// Adam (Kingma & Ba 2015, arXiv 1412.6980); weight decay is added to the gradient, or with
// AdamW (Loshchilov & Hutter 2019, arXiv 1711.05101) taken off the weights directly.
class Adam {
 public:
  // One element of `settings` for each replica; all name the same optimiser.
  // `parameters` must outlive this.
  Adam(models::Parameters& parameters, std::vector<config::TrainConfig> settings);

  // Update `step`, counted from 0. A replica whose `finite` is false is frozen for good: its
  // weights and moments stay as they are, and its neighbours never notice.
  // finite: [R] bool, on the parameters' device. Nothing waits for the device.
  void step(std::int64_t step, const at::Tensor& finite);

  const at::Tensor& alive() const { return alive_; }  // [R] bool: not frozen

  // Running means of the gradient and of its square, [R, P], for checkpoints.
  const at::Tensor& first_moment() const { return first_moment_; }
  const at::Tensor& second_moment() const { return second_moment_; }

 private:
  models::Parameters& parameters_;
  std::vector<config::TrainConfig> settings_;
  at::Tensor first_moment_, second_moment_;  // [R, P]
  at::Tensor alive_;                         // [R] bool
};

}  // namespace layerlab::train
