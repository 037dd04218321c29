// Layer norm and RMS norm with the replica axis.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

#include "config/run_config.h"

namespace layerlab::models {

struct NormOptions {
  std::int64_t replicas = 1;  // R
  std::int64_t width = 0;     // D
  config::NormKind kind = config::NormKind::kLayerNorm;
  double eps = 1e-5;  // inside the root
};

// Over the last dimension, for every token by itself:
//   LayerNorm  w * (x - mean(x)) / sqrt(var(x) + eps) + b, var biased  (Ba et al. 2016, 1607.06450)
//   RMSNorm    w * x / sqrt(mean(x^2) + eps)                   (Zhang & Sennrich 2019, 1910.07467)
class NormImpl : public torch::nn::Cloneable<NormImpl> {
 public:
  explicit NormImpl(const NormOptions& options);

  // x: [R, B, T, D] -> the same shape.
  at::Tensor forward(const at::Tensor& x);

  void reset() override;
  void pretty_print(std::ostream& stream) const override;

  NormOptions options;
  at::Tensor weight;  // [R, D], ones
  at::Tensor bias;    // [R, D], zeros; RMSNorm has none
};
TORCH_MODULE(Norm);

}  // namespace layerlab::models
