// The instructions of a program that need no module of their own.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "equation/program.h"

namespace layerlab::models {

// The result of `instruction`. Operands are values [R, B, T, *S] or, where all tokens share them,
// [R, 1, 1, *S]. The shorter of two different S aligns with the end of the other.
// REQUIRES: not kNorm, kBranch, kGru or kParameter.
at::Tensor compute(const equation::Instruction& instruction,
                   const std::vector<at::Tensor>& operands);

// a @ b over what a token has: a vector is a row on the left and a column on the right.
at::Tensor matrix_product(const at::Tensor& a, const at::Tensor& b);

}  // namespace layerlab::models
