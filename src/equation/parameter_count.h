// How many numbers a stack learns.
#pragma once

#include <cstdint>
#include <string>

#include "equation/program.h"

namespace layerlab::equation {

// The model's part: settings that an equation does not make.
struct LinearLayers {
  bool gated = false;
  bool attention_bias = true, ff_bias = true, norm_bias = true;
  bool rms_norm = false;  // N is RMS, which has no bias
};

// Counts the parameters whose names begin with `prefix`: "blocks.0." or, for the whole stack, "".
// Embedding and head are not among them.
std::int64_t parameter_count(const Program& program, const Sizes& sizes, const LinearLayers& layers,
                             const std::string& prefix = {});

}  // namespace layerlab::equation
