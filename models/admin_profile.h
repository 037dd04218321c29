// Admin's profiling pass: first values of omega that even out what branches add.
#pragma once

#include <functional>

#include "models/blocks.h"
#include "models/tap.h"

namespace layerlab::models {

// Whether any sub-layer has a learned tensor declared `profiled = true`, which is the omega below.
bool has_omegas(const equation::Program& program);

// Sets the omega of every sub-layer x = LN(omega*x + F(x)) while one forward pass goes through
// them (Liu et al. 2020, 2004.08249; as its public code does):
//   omega_1 = 1, omega_{i+1}^2 = Var(omega_i x_i) + Var(F_i(x_i)),
// x_i what enters sub-layer i, Var over all of a replica's values. Sub-layers without an omega are
// passed over. `forward` runs a model that contains `blocks`, with the tap that it is given.
void profile_omegas(const Blocks& blocks, const std::function<void(const TapFunction&)>& forward);

}  // namespace layerlab::models
