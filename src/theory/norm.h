// Norms in the mean field.
#pragma once

#include "config/run_config.h"
#include "equation/program.h"

namespace layerlab::theory {

// DyT acts on each number by itself; all other norms multiply a token by a number.
bool is_pointwise(const equation::Norm& norm);

// LN subtracts the mean over features.
bool centres(const equation::Norm& norm, const config::ModelConfig& model);

// The number by which `norm` multiplies `features` numbers of mean square `square`, at first. Its
// Jacobian is that number too: of the two directions that LN's takes out of a gradient, the one
// part in D that they cost is what the scatter of token norms adds (E D / |x|^2 = D / (D - 2) for
// Gaussian x). Norms without eps leave zeros as they are.
// REQUIRES: !is_pointwise(norm).
double norm_factor(const equation::Norm& norm, const config::ModelConfig& model, int features,
                   double square);

}  // namespace layerlab::theory
