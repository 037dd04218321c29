// Initial weights from pure random streams.
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <vector>

#include "config/run_config.h"

namespace layerlab::models {

// Fills every linear weight, embedding and GRU of `model`. In variances, of a weight [out, in]:
//   kXavierUniform  2 / (in + out), uniform (Glorot & Bengio 2010); embeddings N(0, 1)
//   kXavierNormal   2 / (in + out), normal; embeddings N(0, 1)
//   kTorchDefault   1 / (3 in), uniform, of weights and biases; embeddings N(0, 1)
//   kGpt2           0.02^2, normal, of weights, token and position embeddings
//   kFairseq        q k v 1 / (in + out), o 2 / (in + out), up gate down 1 / (3 in), all uniform;
//                   biases 1 / (3 in) except o's; head and embeddings 1 / D, normal
//   kSmall          2 / (5 D), normal, of weights and embeddings (Nguyen & Salazar 2019,
//   1910.05895)
// Biases are 0 where nothing is said, and norms and learned tensors of equations begin as they
// were made. A linear layer's `deviation` replaces that of its weights, whose distribution keeps
// its shape; `gain` multiplies them. GRUs are as torch's: 1 / (3 D), uniform.
// Replica r draws from (seeds[r], parameter name) alone, so a seed gives the same weights in
// every placement, at every depth, on every device and in any company.
// REQUIRES: one seed for each replica.
void initialize(torch::nn::Module& model, config::Init init,
                const std::vector<std::uint64_t>& seeds);

}  // namespace layerlab::models
