// Gradient norms and clipping, a replica at a time.
//   const GradientNorms norms = gradient_norms(parameters);
//   const at::Tensor clipped = clip_gradients(parameters, norms.whole, limits);
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "models/parameters.h"

namespace layerlab::train {

struct GradientNorms {
  at::Tensor whole;  // of all that a replica has, [R]
  // Of each parameter, [R, slots] in double. On the CPU the whole is made of them, so measuring
  // them costs nothing. Elsewhere they would take a kernel each: undefined.
  at::Tensor slots;
};

// L2 norms of the gradients.
GradientNorms gradient_norms(const models::Parameters& parameters);

// Scales a replica's gradient down to `limits[r]` where its norm is larger, and returns the norms
// after that: [R]. `limits` [R] holds infinity where nothing is to be clipped.
// Source: Pascanu et al. 2013, arXiv 1211.5063, algorithm 1.
at::Tensor clip_gradients(models::Parameters& parameters, const at::Tensor& norms,
                          const at::Tensor& limits);

}  // namespace layerlab::train
