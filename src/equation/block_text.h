// Blocks for people to read.
#pragma once

#include <string>
#include <vector>

#include "equation/block.h"
#include "equation/program.h"

namespace layerlab::equation {

// The equation on one line; of a mix, its parts: "floor(L/4) of post_ln, then pre_ln".
std::string equation_text(const Block& block);

// All there is to say of a block at these sizes: equation, constants with their values, initial
// weights, learned tensors, norms and where they sit, parameters, and the program of each kind of
// block in it. Lines are broken at `columns`. Throws UserError where the block does not compile.
std::vector<std::string> block_text(const Block& block, const Sizes& sizes, int columns);

}  // namespace layerlab::equation
