// The singular values of what a stack does to its input.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace layerlab::probe {

// The mean squared singular value of dF/dx of a sequence, T D by T D, mean over sequences: -> [R].
// `function` maps x [R, B, T, D] to the same shape, sequence by sequence. Exact, by T D products
// with the Jacobian: for small models. 1 where F keeps the lengths of small changes.
// Source: Bachlechner et al. 2020, arXiv 2003.04887, section 2 (dynamical isometry).
at::Tensor mean_squared_singular_value(
    const std::function<at::Tensor(const at::Tensor& x)>& function, const at::Tensor& x);

}  // namespace layerlab::probe
