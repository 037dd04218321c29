// The position-wise feed-forward network with the replica axis.
#pragma once

#include "config/run_config.h"
#include "models/linear.h"

namespace layerlab::models {

struct FeedForwardOptions {
  std::int64_t replicas = 1;  // R
  std::int64_t width = 0;     // D
  std::int64_t ff = 0;        // inner width
  config::Activation activation = config::Activation::kRelu;
};

// W_down act(W_up x) (Vaswani et al. 2017, 1706.03762, 3.3; GELU: Hendrycks & Gimpel, 1606.08415).
class FeedForwardImpl : public torch::nn::Cloneable<FeedForwardImpl> {
 public:
  explicit FeedForwardImpl(const FeedForwardOptions& options);

  // x: [R, B, T, D] -> the same shape.
  at::Tensor forward(const at::Tensor& x);

  void reset() override;

  FeedForwardOptions options;
  Linear up{nullptr}, down{nullptr};
};
TORCH_MODULE(FeedForward);

}  // namespace layerlab::models
