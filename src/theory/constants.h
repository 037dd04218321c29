// Arithmetic of values that all tokens share.
#pragma once

#include <optional>
#include <vector>

#include "equation/program.h"
#include "theory/value.h"

namespace layerlab::theory {

// What `instruction` makes of constants; nothing where it is not arithmetic (norms, branches).
std::optional<Constant> compute(const equation::Instruction& instruction,
                                const std::vector<Constant>& operands);

// The one number that all elements of stream `stream` are multiplied by when a value [n, D], or
// [D], is multiplied by `factor`; nothing where features differ.
std::optional<double> stream_factor(const Constant& factor, int stream);

// All zeros.
Constant zeros(equation::Shape shape);

bool is_zero(const Constant& constant);

double mean_square(const Constant& constant);

}  // namespace layerlab::theory
