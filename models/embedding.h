// Turns tokens into vectors, with the replica axis.
//   Embedding embedding(EmbeddingOptions{.replicas = 1, .vocabulary = 18, .tokens = 16, .width =
//   32}); const at::Tensor x = embedding(ids);  // [R, B, T] -> [R, B, T, D]
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <optional>

#include "config/run_config.h"
#include "models/linear.h"
#include "models/norm.h"

namespace layerlab::models {

struct EmbeddingOptions {
  std::int64_t replicas = 1;    // R
  std::int64_t vocabulary = 0;  // V
  std::int64_t features = 0;    // F, numbers a token consists of; 0: tokens are ids
  std::int64_t tokens = 0;      // T, longest sequence
  std::int64_t width = 0;       // D
  config::Positions positions = config::Positions::kLearned;
  std::optional<NormOptions> norm = std::nullopt;  // of the sum
  // A factor on the tokens' initial weights, and their standard deviation where it replaces the
  // model's.
  double gain = 1;
  std::optional<double> deviation = std::nullopt;
};

// x[t] = token[id[t]] + position[t], normed if there is a norm; where tokens are numbers, a linear
// layer `read_in` takes the place of the table. Positions are learned, or the sines and cosines of
// Vaswani et al. 2017 (1706.03762, 3.5); rotary ones are not added here.
class EmbeddingImpl : public torch::nn::Cloneable<EmbeddingImpl> {
 public:
  explicit EmbeddingImpl(const EmbeddingOptions& options);

  // Ids [R, B, T] int64 in 0 .. V-1, or features [R, B, T, F] -> [R, B, T, D].
  // REQUIRES: T <= options.tokens.
  at::Tensor forward(const at::Tensor& tokens);

  // The scores of a head with tied weights: x token^T without a bias.
  // x: [R, B, T, D] -> [R, B, T, V].
  at::Tensor logits(const at::Tensor& x);

  void reset() override;

  EmbeddingOptions options;
  at::Tensor token;         // parameter [R, V, D]; undefined where tokens are numbers
  Linear read_in{nullptr};  // null where they are ids
  at::Tensor position;  // parameter [R, T, D]; a buffer [1, T, D] when sinusoidal; undefined: none
  Norm norm{nullptr};   // null without

 private:
  at::Tensor look_up(const at::Tensor& ids);
};
TORCH_MODULE(Embedding);

}  // namespace layerlab::models
