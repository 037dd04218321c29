#include "models/gru.h"

#include "models/elementwise.h"

namespace layerlab::models {
namespace {

at::Tensor affine(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return at::baddbmm(bias.unsqueeze(1), x.flatten(1, 2), weight.transpose(1, 2));  // [R, BT, 3D]
}

}  // namespace

GruImpl::GruImpl(const GruOptions& gru_options) : options(gru_options) { reset(); }

void GruImpl::reset() {
  const auto& [R, D] = options;
  weight_ih = register_parameter("weight_ih", at::empty({R, 3 * D, D}));
  weight_hh = register_parameter("weight_hh", at::empty({R, 3 * D, D}));
  bias_ih = register_parameter("bias_ih", at::zeros({R, 3 * D}));
  bias_hh = register_parameter("bias_hh", at::zeros({R, 3 * D}));
}

at::Tensor GruImpl::forward(const at::Tensor& input, const at::Tensor& state) {
  const std::int64_t D = options.width;
  const at::Tensor of_input = affine(input, weight_ih, bias_ih);
  const at::Tensor of_state = affine(state, weight_hh, bias_hh);
  const auto part = [&](const at::Tensor& all, int i) { return all.narrow(-1, i * D, D); };
  const auto gate = [&](int i) {
    return elementwise(part(of_input, i) + part(of_state, i), &at::sigmoid);
  };
  const at::Tensor reset_gate = gate(0), keep = gate(1);
  const at::Tensor fresh =
      elementwise(part(of_input, 2) + reset_gate * part(of_state, 2), &at::tanh);
  const at::Tensor old = state.flatten(1, 2);
  return ((1 - keep) * fresh + keep * old).view_as(input);
}

}  // namespace layerlab::models
