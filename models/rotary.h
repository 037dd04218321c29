// Rotary positions.
//   Rotary rotary;
//   const at::Tensor turned = rotary.rotate(queries);  // [..., T, K]
#pragma once

#include <ATen/core/Tensor.h>

namespace layerlab::models {

// Turns pairs of a head's values by angles that grow with the token's position, so that q.k
// depends on distances (Su et al. 2021, 2104.09864). Pair i is elements i and i + K/2, as in
// LLaMA's published code, and turns by t / 10000^(2i/K) at token t.
class Rotary {
 public:
  // x: [..., T, K], K even -> the same shape.
  at::Tensor rotate(const at::Tensor& x);

 private:
  at::Tensor cos_, sin_;  // [T, K], kept between calls
};

}  // namespace layerlab::models
