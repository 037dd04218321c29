// Norms over the last dimension, with the replica axis.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <vector>

#include "config/run_config.h"
#include "equation/program.h"

namespace layerlab::models {

struct NormOptions {
  std::int64_t replicas = 1;                                 // R
  equation::NormType type = equation::NormType::kLayerNorm;  // not kModel
  double eps = 1e-5;                                         // under the root
  std::vector<std::int64_t> weight = {};  // shape of w: [D], or [H, D] with one a head; empty: none
  bool bias = true;                       // b, where there is w and the type has b
  double offset = 0;                      // what is added to w when it is used
  bool unbiased = false, eps_outside = false;  // as in equation::Norm
};

// A norm of an equation, completed by what the model says.
NormOptions norm_options(std::int64_t replicas, const equation::Norm& norm,
                         const config::ModelConfig& model);

// What equation::Norm describes. Its gain, w + offset, is 1 at first, and its bias 0. A norm
// without w learns nothing: the number g of ScaleNorm and DyT then keeps its first value.
class NormImpl : public torch::nn::Cloneable<NormImpl> {
 public:
  explicit NormImpl(const NormOptions& options);

  // x: [R, B, T, ..., D] -> the same shape; dimensions before D are heads or streams.
  at::Tensor forward(const at::Tensor& x);

  void reset() override;
  void pretty_print(std::ostream& stream) const override;

  NormOptions options;
  at::Tensor weight;  // [R, *options.weight]; undefined without
  at::Tensor bias;    // as weight; undefined without
  at::Tensor scale;   // [R], g of ScaleNorm and DyT; undefined for others
};
TORCH_MODULE(Norm);

}  // namespace layerlab::models
