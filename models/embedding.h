// Token and position embeddings with the replica axis.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

#include "config/run_config.h"

namespace layerlab::models {

struct EmbeddingOptions {
  std::int64_t replicas = 1;    // R
  std::int64_t vocabulary = 0;  // V
  std::int64_t tokens = 0;      // T, longest sequence
  std::int64_t width = 0;       // D
  config::Positions positions = config::Positions::kLearned;
};

// x[t] = token[id[t]] + position[t], both N(0, 1) at first, or the sines and cosines of
// Vaswani et al. 2017 (1706.03762, 3.5), or no position at all.
class EmbeddingImpl : public torch::nn::Cloneable<EmbeddingImpl> {
 public:
  explicit EmbeddingImpl(const EmbeddingOptions& options);

  // ids: [R, B, T] int64 in 0 .. V-1 -> [R, B, T, D]. REQUIRES: T <= options.tokens.
  at::Tensor forward(const at::Tensor& ids);

  void reset() override;

  EmbeddingOptions options;
  at::Tensor token;     // parameter [R, V, D]
  at::Tensor position;  // parameter [R, T, D]; a buffer [1, T, D] when sinusoidal; undefined: none
};
TORCH_MODULE(Embedding);

}  // namespace layerlab::models
