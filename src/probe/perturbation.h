// How much a function moves when its weights do.
//   const at::Tensor change = amplification(parameters, forward, 0.05, seeds);  // [R]
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "models/parameters.h"

namespace layerlab::probe {

// A direction [R, P] of independent normal numbers; seeds[r] decides replica r's. Each parameter's
// part has the standard deviation of the parameter's values, so parameters whose values are all
// equal, as gains and biases at first, do not move.
at::Tensor random_direction(const models::Parameters& parameters,
                            const std::vector<std::uint64_t>& seeds);

// |F(W) - F(W + relative * random_direction)|^2 of a token, mean over tokens: -> [R]. `forward`
// computes F [R, B, T, D] with the weights as they are; they have their bits again afterwards.
// Positions behind `lengths` [R, B] are padding and left out; undefined: there is none.
// Source: Liu et al. 2020, arXiv 2004.08249, section 4.2 and figure 4: it grows like the number of
// sub-layers in Post-LN, and like its logarithm in Pre-LN.
at::Tensor amplification(models::Parameters& parameters, const std::function<at::Tensor()>& forward,
                         double relative, const std::vector<std::uint64_t>& seeds,
                         const at::Tensor& lengths = {});

}  // namespace layerlab::probe
