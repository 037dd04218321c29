// The stacks that a model consists of: one, or the encoder and the decoder of a pair.
#pragma once

#include <string>
#include <vector>

#include "config/run_config.h"
#include "equation/program.h"

namespace layerlab::config {

// What the names in an equation stand for in a model of one stack.
equation::Sizes sizes_of(const ModelConfig& model);

struct ModelPart {
  ModelConfig model;      // as a stack by itself: kind is kEncoder or kDecoder, depth its own
  equation::Block block;  // what the block is on this side
  equation::Sizes sizes;  // what the names in its equation stand for, and which side it is

  const std::string& side() const { return sizes.side; }  // "encoder", "decoder" or ""
};

// In the order in which they compute.
std::vector<ModelPart> model_parts(const ModelConfig& model, const equation::Block& block);

}  // namespace layerlab::config
