// Admin's profiling pass: initial values of omega that balance what branches add.
//   profile_omegas(omegas_of(blocks), blocks.program().taps,
//                  [&](const TapFunction& tap) { blocks.forward(x, tap); });
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/blocks.h"
#include "models/tap.h"

namespace layerlab::models {

// The learned tensor [R, *S] declared `profiled = true` of every sub-layer that has one, by the
// sub-layer's name behind the program's prefix: "blocks.0.attn", "decoder.blocks.0.attn".
using Omegas = std::map<std::string, at::Tensor>;
Omegas omegas_of(const Blocks& blocks);

// Sets the omega of every sub-layer x = LN(omega*x + F(x)) while one forward pass goes through
// them (Liu et al. 2020, 2004.08249; as its public code does):
//   omega_1 = 1, omega_{i+1}^2 = Var(omega_i x_i) + Var(F_i(x_i)),
// x_i what enters sub-layer i, Var over all of a replica's values; each side of a pair begins anew.
// Sub-layers without an omega are passed over. `forward` runs a model with these places, with the
// tap that it is given.
void profile_omegas(const Omegas& omegas, const std::vector<equation::Tap>& taps,
                    const std::function<void(const TapFunction&)>& forward);

}  // namespace layerlab::models
