// Values of different shapes per token, brought together.
//   const at::Tensor y = x * shared_by_tokens(weight, x.dim());
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace layerlab::models {

// Dimensions in front of a value's own shape: replicas, sequences, tokens.
constexpr std::int64_t kFront = 3;

// A value [R, B, T, *S] with ones put in front of S until it has `dimensions`.
at::Tensor aligned(const at::Tensor& value, std::int64_t dimensions);

// A parameter [R, *S] as a value that all tokens share: [R, 1, 1, *S], aligned.
at::Tensor shared_by_tokens(const at::Tensor& parameter, std::int64_t dimensions);
at::Tensor shared_by_tokens(const at::Tensor& parameter);

}  // namespace layerlab::models
