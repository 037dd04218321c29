// A linear layer with the replica axis.
//   Linear linear(LinearOptions{.replicas = 1, .in = 32, .out = 128});
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <optional>

namespace layerlab::models {

struct LinearOptions {
  std::int64_t replicas = 1;  // R
  std::int64_t in = 0, out = 0;
  bool bias = true;
  // For models/init.h: a factor on the initial weights, and their standard deviation where it is
  // not the scheme's.
  double gain = 1;
  std::optional<double> deviation = std::nullopt;
};

// y[r] = x[r] W[r]^T + b[r] for every replica r.
// One batched product over R; on the CPU each slice is bit-equal to the same layer alone.
class LinearImpl : public torch::nn::Cloneable<LinearImpl> {
 public:
  explicit LinearImpl(const LinearOptions& options);

  // x: [R, B, T, in] -> [R, B, T, out].
  at::Tensor forward(const at::Tensor& x);

  void reset() override;
  void pretty_print(std::ostream& stream) const override;

  LinearOptions options;
  at::Tensor weight;  // [R, out, in], uninitialised until models/init.h fills it
  at::Tensor bias;    // [R, out], zero; undefined without bias
};
TORCH_MODULE(Linear);

}  // namespace layerlab::models
