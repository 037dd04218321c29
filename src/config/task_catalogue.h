// What is known of each synthetic task without generating any of it.
//
// copy and reverse: n = length symbols s_1 … s_n, drawn uniformly; the answer a is the same
// symbols in the same or in the reverse order.
//   encoder: input s_1 … s_n, target at position i is a_i; every position is scored.
//   decoder: input s_1 … s_n GO a_1 … a_{n-1}, where GO is the token `symbols`; the targets of the
//            last n positions are a_1 … a_n, and only they are scored.
#pragma once

#include <string>
#include <vector>

#include "config/run_config.h"

namespace layerlab::config {

struct TaskShape {
  int tokens = 0;          // T, positions the model sees
  int vocabulary = 0;      // V, distinct input tokens
  int outputs = 0;         // classes that the head scores
  double chance_loss = 0;  // cross-entropy in nats of guessing by the best constant distribution
};

// "copy", "reverse": in alphabetical order.
const std::vector<std::string>& task_names();

// Throws UserError at `place` for an unknown task, or one that cannot be laid out for `kind`.
TaskShape task_shape(const TaskConfig& task, ModelKind kind, const Place& place = {});

}  // namespace layerlab::config
