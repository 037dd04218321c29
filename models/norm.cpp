#include "models/norm.h"

#include <ostream>

namespace layerlab::models {

using config::NormKind;

NormImpl::NormImpl(const NormOptions& norm_options) : options(norm_options) { reset(); }

void NormImpl::reset() {
  weight = register_parameter("weight", at::ones({options.replicas, options.width}));
  if (options.kind == NormKind::kLayerNorm) {
    bias = register_parameter("bias", at::zeros({options.replicas, options.width}));
  }
}

at::Tensor NormImpl::forward(const at::Tensor& x) {
  // A replica's gain cannot go into torch's kernel, whose weight is one vector for all rows.
  const at::Tensor gain = weight.view({options.replicas, 1, 1, options.width});
  switch (options.kind) {
    case NormKind::kLayerNorm: {
      const at::Tensor unit = at::layer_norm(x, {options.width}, {}, {}, options.eps);
      return at::addcmul(bias.view_as(gain), unit, gain);
    }
    case NormKind::kRmsNorm:
      return at::rms_norm(x, {options.width}, {}, options.eps) * gain;
  }
  return {};
}

void NormImpl::pretty_print(std::ostream& stream) const {
  stream << (options.kind == NormKind::kLayerNorm ? "layerlab::LayerNorm(" : "layerlab::RmsNorm(")
         << options.width << ", eps=" << options.eps << ", replicas=" << options.replicas << ")";
}

}  // namespace layerlab::models
