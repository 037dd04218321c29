#include "equation/parameter_count.h"

namespace layerlab::equation {
namespace {

std::int64_t product(const Shape& shape) {
  std::int64_t result = 1;
  for (const int size : shape) result *= size;
  return result;
}

std::int64_t count(const Norm& norm, const LinearLayers& layers) {
  if (norm.weight.empty()) return 0;
  const std::int64_t weight = product(norm.weight);
  const std::int64_t bias = norm.bias.value_or(layers.norm_bias) ? weight : 0;
  switch (norm.type) {
    case NormType::kLayerNorm:
      return weight + bias;
    case NormType::kModel:
      return layers.rms_norm ? weight : weight + bias;
    case NormType::kDyT:
      return weight + bias + 1;
    case NormType::kScaleNorm:
      return 1;
    case NormType::kRmsNorm:
      return weight;
    case NormType::kL2:
      return 0;
  }
  return 0;
}

std::int64_t count(const Branch& branch, const Sizes& sizes, const LinearLayers& layers) {
  const std::int64_t d = sizes.width, ff = sizes.ff;
  std::int64_t result = 0;
  if (branch.type == BranchType::kFeedForward) {
    const int inner = layers.gated ? 2 : 1;
    result = (inner + 1) * d * ff + (layers.ff_bias ? inner * ff + d : 0);
  } else {
    result = 4 * d * d + (layers.attention_bias ? 4 * d : 0);
  }
  for (const auto* norm : {&branch.mid, &branch.q, &branch.k, &branch.v}) {
    if (*norm) result += count(**norm, layers);
  }
  return result + (branch.head_scale == HeadScale::kNone ? 0 : sizes.heads);
}

}  // namespace

std::int64_t parameter_count(const Program& program, const Sizes& sizes, const LinearLayers& layers,
                             const std::string& prefix) {
  std::int64_t total = 0;
  const auto add = [&](const std::string& name, std::int64_t numbers) {
    if (name.starts_with(prefix)) total += numbers;
  };
  for (const Norm& norm : program.norms) add(norm.name, count(norm, layers));
  for (const Branch& branch : program.branches) add(branch.name, count(branch, sizes, layers));
  for (const Parameter& parameter : program.parameters) {
    add(parameter.name, product(parameter.shape));
  }
  const std::int64_t d = sizes.width;
  for (const Gru& gru : program.grus) add(gru.name, 6 * d * d + 6 * d);
  return total;
}

}  // namespace layerlab::equation
