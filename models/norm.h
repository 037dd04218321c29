// Norms over the last dimension, with the replica axis.
//   Norm norm(NormOptions{.type = equation::NormType::kRmsNorm, .weight = {32}});
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
  // Keeps the division finite where x is constant (LayerNorm) or zero (RmsNorm).
  double eps = 1e-5;
  // Shape of the learned gain w: [D], or [H, D] with one for each head; empty: nothing is learned.
  std::vector<std::int64_t> weight = {};
  // Whether a bias is learned, where there is w and the type has one (LayerNorm, DyT).
  bool bias = true;
  // Added to w when it is used: 1 where the weight is stored minus one, as in Gemma.
  double offset = 0;
  // Divides by D - 1 instead of D, as torch.std does.
  bool unbiased = false;
  // Divides by sqrt(variance) + eps instead of sqrt(variance + eps).
  bool eps_outside = false;
};

// The options of a norm in an equation; the model decides what the equation leaves open.
NormOptions norm_options(std::int64_t replicas, const equation::Norm& norm,
                         const config::ModelConfig& model);

// The norms that equation::Norm describes. The gain, w + offset, is 1 at first, and the bias 0. A
// norm without w learns nothing: the number g of ScaleNorm and DyT then keeps its initial value.
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
