// A gated recurrent unit as a residual connection, with the replica axis.
//   Gru gru(GruOptions{.replicas = 1, .width = 32});
//   x = gru(/*input=*/branch, /*state=*/x);
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

namespace layerlab::models {

struct GruOptions {
  std::int64_t replicas = 1;  // R
  std::int64_t width = 0;     // D
};

// torch's GRU cell (Cho et al. 2014, 1406.1078), token by token, as the gate of Parisotto et al.
// 2019 (1910.06764):
//   r, z = sigmoid(W_ih x + b_ih + W_hh h + b_hh), their parts
//   n = tanh(W_ih x + b_ih + r (W_hh h + b_hh)), that part
//   (1 - z) n + z h
class GruImpl : public torch::nn::Cloneable<GruImpl> {
 public:
  explicit GruImpl(const GruOptions& options);

  // input x and state h: [R, B, T, D] -> [R, B, T, D].
  at::Tensor forward(const at::Tensor& input, const at::Tensor& state);

  void reset() override;

  GruOptions options;
  at::Tensor weight_ih, weight_hh;  // [R, 3D, D], for r, z and n in turn
  at::Tensor bias_ih, bias_hh;      // [R, 3D], zeros
};
TORCH_MODULE(Gru);

}  // namespace layerlab::models
