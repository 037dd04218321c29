// Which block stands at which depth of a stack.
#pragma once

#include <memory>
#include <vector>

#include "equation/scalar.h"
#include "equation/sublayers.h"

namespace layerlab::equation {

// An equation that one block or several follow, and the text it was compiled from.
struct BlockType {
  const Block* block;
  std::vector<Statement> statements;
  std::vector<Sublayer> sublayers;
  Scalars scalars;  // with the stack's sizes and S
};

struct BlockTypes {
  std::vector<std::unique_ptr<BlockType>> types;
  std::vector<BlockType*> by_layer;
  std::vector<int> first_sublayer;  // by layer: how many are below
};

// `block` itself at every depth, or what its `layers` say. Throws UserError where their counts do
// not add up to the depth, their streams differ, or one reads no memory though there is one.
// `block` must outlive the result.
BlockTypes block_types(const Block& block, const Sizes& sizes);

}  // namespace layerlab::equation
