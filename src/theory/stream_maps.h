// Instructions that are linear in the streams they read.
#pragma once

#include <variant>
#include <vector>

#include "config/run_config.h"
#include "equation/program.h"
#include "theory/value.h"

namespace layerlab::theory {

// Stream i of the result is the sum over j of weights[i][j] times stream j of an operand.
using StreamMap = std::vector<std::vector<double>>;

StreamMap identity(int streams);

// What an instruction is to each of its operands; constants have an empty map. The gradient takes
// the transposed maps.
struct Linearity {
  std::vector<StreamMap> maps;  // as the instruction's operands
  bool several = false;         // the result is [n, D]
};

// How the instruction acts on signals and constants, at least one a signal. A norm is linear too:
// it divides by a number, since a token's norm hardly differs from its mean. Unknown where the
// instruction is not linear, or mixes features. REQUIRES: not kBranch, kGru or kParameter,
// nor what has an odd_curve().
std::variant<Unknown, Linearity> linearity(const equation::Program& program,
                                           const config::ModelConfig& model,
                                           const equation::Instruction& instruction,
                                           const std::vector<Value>& operands,
                                           const std::vector<SecondMoments>& atoms);

// Adds to `result` what `map` makes of `operand`, or what its transpose makes of a gradient.
void add_mapped(const StreamMap& map, const Signal& operand, Signal& result);
void add_transposed(const StreamMap& map, const Signal& gradient, Signal& result);

}  // namespace layerlab::theory
