#include "models/norm.h"

#include <cmath>
#include <ostream>

#include "models/align.h"
#include "models/elementwise.h"

namespace layerlab::models {

using equation::NormType;

namespace {

NormType resolved(NormType type, config::NormKind of_model) {
  if (type != NormType::kModel) return type;
  switch (of_model) {
    case config::NormKind::kLayerNorm:
      return NormType::kLayerNorm;
    case config::NormKind::kRmsNorm:
      return NormType::kRmsNorm;
  }
  return type;
}

// The first value of g.
double first_scale(NormType type, std::int64_t width) {
  return type == NormType::kDyT ? 0.5 : std::sqrt(static_cast<double>(width));
}

// What torch has no kernel for: x over its root mean square, counted over D - 1, or with eps
// outside of the root.
at::Tensor uncommon(const at::Tensor& x, const NormOptions& options) {
  const auto count = static_cast<double>(x.size(-1) - (options.unbiased ? 1 : 0));
  const at::Tensor mean_square = x.square().sum(-1, true) / count;
  return options.eps_outside ? x / (mean_square.sqrt() + options.eps)
                             : x * (mean_square + options.eps).rsqrt();
}

const char* name_of(NormType type) {
  switch (type) {
    case NormType::kLayerNorm:
      return "LayerNorm";
    case NormType::kRmsNorm:
      return "RmsNorm";
    case NormType::kL2:
      return "L2Norm";
    case NormType::kScaleNorm:
      return "ScaleNorm";
    case NormType::kDyT:
      return "DynamicTanh";
    case NormType::kModel:
      break;
  }
  return "Norm";
}

}  // namespace

NormOptions norm_options(std::int64_t replicas, const equation::Norm& norm,
                         const config::ModelConfig& model) {
  NormOptions options;
  options.replicas = replicas;
  options.type = resolved(norm.type, model.norm);
  options.eps = norm.eps < 0 ? model.norm_eps : norm.eps;
  options.weight.assign(norm.weight.begin(), norm.weight.end());
  options.bias = norm.bias.value_or(model.norm_bias);
  options.offset = norm.offset;
  options.unbiased = norm.unbiased;
  options.eps_outside = norm.eps_outside;
  return options;
}

NormImpl::NormImpl(const NormOptions& norm_options) : options(norm_options) { reset(); }

void NormImpl::reset() {
  const NormType type = options.type;
  if (options.weight.empty() || type == NormType::kL2) return;
  if (type == NormType::kScaleNorm || type == NormType::kDyT) {
    scale = register_parameter(
        "scale", at::full({options.replicas}, first_scale(type, options.weight.back())));
  }
  if (type == NormType::kScaleNorm) return;
  std::vector<std::int64_t> shape = options.weight;
  shape.insert(shape.begin(), options.replicas);
  weight = register_parameter("weight", at::full(shape, 1 - options.offset));
  if (options.bias && (type == NormType::kLayerNorm || type == NormType::kDyT)) {
    bias = register_parameter("bias", at::zeros(shape));
  }
}

at::Tensor NormImpl::forward(const at::Tensor& x) {
  const std::int64_t D = x.size(-1);
  const auto scaled = [&](const at::Tensor& value) {
    return scale.defined() ? value * shared_by_tokens(scale, x.dim())
                           : value * first_scale(options.type, D);
  };
  at::Tensor unit;
  switch (options.type) {
    case NormType::kLayerNorm:
      unit = options.unbiased || options.eps_outside ? uncommon(x - x.mean(-1, true), options)
                                                     : at::layer_norm(x, {D}, {}, {}, options.eps);
      break;
    case NormType::kRmsNorm:
      unit = options.eps_outside ? uncommon(x, options) : at::rms_norm(x, {D}, {}, options.eps);
      break;
    case NormType::kL2:
      unit = normalised(x);
      break;
    case NormType::kScaleNorm:
      unit = scaled(normalised(x));
      break;
    case NormType::kDyT:
      unit = elementwise(scaled(x), &at::tanh);
      break;
    case NormType::kModel:
      break;
  }
  if (!weight.defined()) return unit;
  // A replica's gain cannot go into torch's kernel, whose weight is one vector for all rows.
  at::Tensor gain = shared_by_tokens(weight, x.dim());
  if (options.offset != 0) gain = gain + options.offset;
  if (!bias.defined()) return unit * gain;
  return at::addcmul(shared_by_tokens(bias, x.dim()), unit, gain);
}

void NormImpl::pretty_print(std::ostream& stream) const {
  stream << "layerlab::" << name_of(options.type) << "(" << options.weight
         << ", eps=" << options.eps << ", replicas=" << options.replicas << ")";
}

}  // namespace layerlab::models
