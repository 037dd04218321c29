// What an entry says of initial weights: `gain` and `init`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "equation/block.h"
#include "equation/scalar.h"
#include "equation/sublayers.h"

namespace layerlab::equation {

// Throws UserError for a matrix that none of the block's sub-layers has; `all` are those that it
// has with a memory.
void check_initial(const Block& block, const std::vector<Sublayer>& all);

// What `entries` say of one sub-layer's matrices, by matrix: "v" is for all, "attn.v" for one and
// wins.
std::map<std::string, double> initial(const std::vector<NamedScalar>& entries,
                                      const Sublayer& sublayer, Scalars& scalars);

// What they say of the embedding.
std::optional<double> initial_embedding(const std::vector<NamedScalar>& entries, Scalars& scalars);

}  // namespace layerlab::equation
