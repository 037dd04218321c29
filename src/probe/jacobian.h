// The singular values of what a stack does to its input.
//   const at::Tensor mean_square = mean_squared_singular_value(forward, embedded);  // [R]
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace layerlab::probe {

// The mean squared singular value of dF/dx of a sequence, T D by T D, mean over sequences: -> [R].
// `function` maps x [R, B, T, D] to the same shape, sequence by sequence. Exact, by T D products
// with the Jacobian: for small models. 1 where F keeps the lengths of small changes.
// Positions behind `lengths` [R, B] are padding: what the function gives there does not count, and
// nothing else may depend on what it reads there. Undefined: there is none.
// Source: Bachlechner et al. 2020, arXiv 2003.04887, section 2 (dynamical isometry).
at::Tensor mean_squared_singular_value(
    const std::function<at::Tensor(const at::Tensor& x)>& function, const at::Tensor& x,
    const at::Tensor& lengths = {});

}  // namespace layerlab::probe
