// Gradient norms and clipping, a replica at a time.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "models/parameters.h"

namespace layerlab::train {

// The L2 norm of each replica's whole gradient: [R].
at::Tensor gradient_norms(const models::Parameters& parameters);

// Scales a replica's gradient down to `limits[r]` where its norm is larger, and returns the norms
// after that: [R]. `limits` [R] holds infinity where nothing is to be clipped.
// Source: Pascanu et al. 2013, arXiv 1211.5063, algorithm 1.
at::Tensor clip_gradients(models::Parameters& parameters, const at::Tensor& norms,
                          const at::Tensor& limits);

}  // namespace layerlab::train
