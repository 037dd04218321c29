// The curvature of the loss.
//   const at::Tensor largest = sharpness(parameters, [&] { return loss(); }, seeds);  // [R]
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "models/parameters.h"

namespace layerlab::probe {

struct SharpnessOptions {
  int iterations = 200;     // at most
  double tolerance = 1e-4;  // of the relative change of the eigenvalue, at which they end
  // [R, P], positive: diagonal of a matrix D; undefined: the identity.
  at::Tensor preconditioner = {};
};

// The eigenvalue of largest magnitude of H, the Hessian of a replica's loss in its parameters, or
// of D^-1/2 H D^-1/2: -> [R] in the parameters' type. By power iteration on Hessian-vector
// products, which are gradients of gradients, from normal numbers that seeds[r] decides. `loss`
// computes [R] with the weights as they are, one entry of each replica's
// own; parameters.gradients() are not touched. NaN where the loss is not finite.
// Gradient descent is stable while it is below 2 / lr, Adam with momentum b1 while the
// preconditioned one is below (2 + 2 b1) / ((1 - b1) lr).
// Source: Cohen et al. 2022, "Adaptive gradient methods at the edge of stability", arXiv
// 2207.14484.
at::Tensor sharpness(const models::Parameters& parameters, const std::function<at::Tensor()>& loss,
                     const std::vector<std::uint64_t>& seeds, const SharpnessOptions& options = {});

// Adam's D after `steps` updates: sqrt(v / (1 - b2^steps)) + eps, of its second moment v [R, P].
at::Tensor adam_preconditioner(const at::Tensor& second_moment, double beta2, double eps,
                               std::int64_t steps);

}  // namespace layerlab::probe
