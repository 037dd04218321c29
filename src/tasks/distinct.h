#pragma once

#include <cstdint>
#include <vector>

#include "core/random.h"

namespace layerlab::tasks {

// `count` different numbers below `below`, in random order: the beginning of a shuffle.
// REQUIRES: count <= below.
std::vector<std::int64_t> draw_distinct(RandomStream& stream, int count, int below);

}  // namespace layerlab::tasks
