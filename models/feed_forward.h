// The position-wise feed-forward network with the replica axis.
//   FeedForward feed_forward(FeedForwardOptions{.replicas = 1, .model = model, .branch = branch});
//   const at::Tensor y = feed_forward(x);
#pragma once

#include "config/run_config.h"
#include "equation/program.h"
#include "models/linear.h"
#include "models/norm.h"

namespace layerlab::models {

struct FeedForwardOptions {
  std::int64_t replicas = 1;  // R
  config::ModelConfig model;  // width, ff, activation, gated, ff_bias
  equation::Branch branch;    // its mid norm, and factors on initial weights
};

// W_down N(act(W_up x)) (Vaswani et al. 2017, 1706.03762, 3.3; GELU: Hendrycks & Gimpel,
// 1606.08415), N the mid norm if there is one; gated W_down N(act(W_gate x) * W_up x) (Shazeer
// 2020, 2002.05202).
class FeedForwardImpl : public torch::nn::Cloneable<FeedForwardImpl> {
 public:
  explicit FeedForwardImpl(FeedForwardOptions options);

  // x: [R, B, T, D] -> the same shape. The gains, [R, 1, 1, ff], multiply what W_up and W_gate
  // give; undefined: none.
  at::Tensor forward(const at::Tensor& x, const at::Tensor& up_gain = {},
                     const at::Tensor& gate_gain = {});

  void reset() override;

  FeedForwardOptions options;
  Linear up{nullptr}, down{nullptr};
  Linear gate{nullptr};    // null where it is not gated
  Norm mid_norm{nullptr};  // null without
};
TORCH_MODULE(FeedForward);

}  // namespace layerlab::models
