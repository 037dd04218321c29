#include "models/align.h"

#include <ATen/ATen.h>

namespace layerlab::models {
namespace {

// `x` with ones put after its first `front` dimensions until it has `dimensions`.
at::Tensor with_ones(at::Tensor x, std::int64_t front, std::int64_t dimensions) {
  while (x.dim() < dimensions) x = x.unsqueeze(front);
  return x;
}

}  // namespace

at::Tensor aligned(const at::Tensor& value, std::int64_t dimensions) {
  return with_ones(value, kFront, dimensions);
}

at::Tensor shared_by_tokens(const at::Tensor& parameter, std::int64_t dimensions) {
  return with_ones(parameter, 1, dimensions);
}

at::Tensor shared_by_tokens(const at::Tensor& parameter) {
  return with_ones(parameter, 1, parameter.dim() + kFront - 1);
}

}  // namespace layerlab::models
