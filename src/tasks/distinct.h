// Different keys, each with a value to remember.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/task.h"

namespace layerlab::tasks {

// Throws UserError unless there is a symbol for each of task.pairs keys.
void require_distinct_keys(const Request& request);

// `count` different numbers below `below`, in random order: the beginning of a shuffle.
// REQUIRES: count <= below.
std::vector<std::int64_t> draw_distinct(RandomStream& stream, int count, int below);

}  // namespace layerlab::tasks
