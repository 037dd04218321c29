// Initial weights from pure random streams.
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <vector>

#include "config/run_config.h"

namespace layerlab::models {

// Fills every linear weight and embedding of `model`; biases stay 0 and norm gains 1.
//   linear, Xavier (Glorot & Bengio 2010): uniform in +-sqrt(6 / (in + out)), or normal with
//   variance 2 / (in + out); embeddings N(0, 1).
// Replica r draws from (seeds[r], parameter name) alone, so a seed gives the same weights in
// every placement, at every depth, on every device and in any company.
// REQUIRES: one seed for each replica.
void initialize(torch::nn::Module& model, config::Init init,
                const std::vector<std::uint64_t>& seeds);

}  // namespace layerlab::models
