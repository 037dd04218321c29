// Multi-head self-attention with the replica axis.
#pragma once

#include "models/linear.h"

namespace layerlab::models {

struct AttentionOptions {
  std::int64_t replicas = 1;  // R
  std::int64_t width = 0;     // D
  std::int64_t heads = 1;     // H, divides width
  bool causal = false;        // a token sees itself and those before it
};

// softmax(q k^T / sqrt(K)) v per head, K = D / H, then W_o (Vaswani et al. 2017, 1706.03762, 3.2).
// Head h is columns hK .. (h+1)K - 1 of q, k and v.
class AttentionImpl : public torch::nn::Cloneable<AttentionImpl> {
 public:
  explicit AttentionImpl(const AttentionOptions& options);

  // x: [R, B, T, D] -> the same shape.
  at::Tensor forward(const at::Tensor& x);

  void reset() override;

  AttentionOptions options;
  Linear q{nullptr}, k{nullptr}, v{nullptr}, o{nullptr};
};
TORCH_MODULE(Attention);

}  // namespace layerlab::models
