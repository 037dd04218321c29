// Initial weights from pure random streams.
//   initialize(*model, config::Init::kXavierUniform, /*seeds=*/{1, 2});
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <vector>

#include "config/run_config.h"

namespace layerlab::models {

// Fills every linear weight and bias, embedding and GRU of `model` from the distributions of
// config/initial_weights.h. Norms and learned tensors of equations begin as they were made. A
// linear layer's `deviation` replaces that of its weights, whose distribution keeps its shape;
// `gain` multiplies them.
// Replica r draws from (seeds[r], parameter name) alone, so a seed gives the same weights in
// every placement, at every depth, on every device and in any company.
// REQUIRES: one seed for each replica.
void initialize(torch::nn::Module& model, config::Init init,
                const std::vector<std::uint64_t>& seeds);

}  // namespace layerlab::models
