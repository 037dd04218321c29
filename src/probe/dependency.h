// How much of the stream each branch is.
//   const at::Tensor beta = branch_dependency(model->taps(), values);  // [R, S, S + 1]
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "equation/program.h"

namespace layerlab::probe {

// The stream behind sub-layer i as a sum over the input and the branches up to there,
//     x_i / |x_i| = sum over j <= i of beta_ij a_j / |a_j|
// with a_0 the stream that enters the first sub-layer, a_j what branch j returns and |.| the root
// mean square of a replica's values: -> [R, S, S + 1] double on the CPU, of S sub-layers, zeros for
// j > i. The betas are those that come nearest (least squares): exact where the stream is only
// added to, and else as if its norms divided all tokens by one number. Row i is what Pre-LN's next
// branch reads; beta_ii near 0.7 says that the newest branch is half of it, as in Post-LN.
// `values[t]` [R, B, T, D] is what passed at taps[t]; those of one side of a pair, with one stream.
// Positions behind `lengths` [R, B] are padding and left out; undefined: there is none. A replica's
// bits do not depend on its company.
// Source: Liu et al. 2020, arXiv 2004.08249, section 4.1, beta_ij.
at::Tensor branch_dependency(const std::vector<equation::Tap>& taps,
                             const std::vector<at::Tensor>& values, const at::Tensor& lengths = {});

}  // namespace layerlab::probe
