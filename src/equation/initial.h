// An entry's initial weights: `gain` and `init`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "equation/block.h"
#include "equation/scalar.h"
#include "equation/sublayers.h"

namespace layerlab::equation {

// Throws UserError for a matrix that none of the block's sub-layers has; `all` are those that it
// has with a memory.
void check_initial(const Block& block, const std::vector<Sublayer>& all);

// The block's entries for one sub-layer, by matrix: "v" is for all, "attn.v" for one and wins.
// Throws UserError for a standard deviation below 0.
struct InitialWeights {
  std::map<std::string, double> gain, deviation;
};
InitialWeights initial(const Block& block, const Sublayer& sublayer, Scalars& scalars);

// Likewise of the embedding, into `program`.
void initial_embedding(const Block& block, Scalars& scalars, Program& program);

}  // namespace layerlab::equation
