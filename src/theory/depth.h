// How a quantity runs along depth.
#pragma once

#include <span>
#include <vector>

#include "equation/program.h"

namespace layerlab::theory {

// For each block, the index in Program::taps of the stream that leaves it.
std::vector<int> block_outputs(const equation::Program& program);

// The slope of log(value) over log(block), blocks counted from 1: 0 for Post-LN's RMS, towards 1/2
// for a stream that all branches add to alike. REQUIRES: two values or more, all positive.
double growth_exponent(std::span<const double> by_block);

}  // namespace layerlab::theory
