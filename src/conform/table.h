// A comparison for people.
#pragma once

#include <string>

#include "conform/comparison.h"

namespace layerlab::conform {

// A line a tensor: tensor, max error, relative error, tolerance, verdict. With `all`, every tensor,
// worst first; else the worst of each group, and of those that disagree the ten worst. Below it
// what it comes to, where the two differ first, and what would make them agree.
std::string comparison_table(const Comparison& comparison, bool all);

}  // namespace layerlab::conform
