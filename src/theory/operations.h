// The mean field of each operation of the language, one row each.
#pragma once

#include <vector>

#include "config/run_config.h"
#include "equation/program.h"
#include "theory/stream_maps.h"
#include "theory/value.h"

namespace layerlab::theory {

// An instruction and what it reads: signals and constants, none of them unknown.
struct Operands {
  const equation::Program& program;
  const config::ModelConfig& model;
  const equation::Instruction& instruction;
  const std::vector<Value>& values;
  const std::vector<SecondMoments>& atoms;  // of signals
};

struct MeanField {
  // The result of constants alone; null: `reason` says why there is none.
  Constant (*constants)(const equation::Instruction& instruction,
                        const std::vector<Constant>& operands) = nullptr;
  // The result of operands with a signal among them; null likewise.
  Answer (*signals)(const Operands& operands) = nullptr;
  const char* reason = "";
};

// REQUIRES: not kBranch or kParameter, which theory/recursion.cpp follows.
MeanField mean_field(equation::Op op);

}  // namespace layerlab::theory
