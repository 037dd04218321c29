// The stacks that a model consists of: one, or the encoder and the decoder of a pair.
#pragma once

#include <string>
#include <vector>

#include "config/run_config.h"

namespace layerlab::config {

struct ModelPart {
  std::string side;       // "encoder" or "decoder" of a pair, else ""
  ModelConfig model;      // as a stack by itself: kind is kEncoder or kDecoder, depth its own
  equation::Block block;  // what the block is on this side
  equation::Sizes sizes;  // what the names in its equation stand for
};

// In the order in which they compute.
std::vector<ModelPart> model_parts(const ModelConfig& model, const equation::Block& block);

}  // namespace layerlab::config
