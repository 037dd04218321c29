// The cost of a run, estimated before it is trained.
#pragma once

#include <cstdint>

#include "config/run_config.h"

namespace layerlab::report {

struct RunCost {
  std::int64_t parameters = 0;  // embeddings and head included
  std::int64_t in_blocks = 0;   // of them
  double operations = 0;        // floating-point, of all steps: 6 a parameter and token
  double memory = 0;            // bytes: weights, gradients, optimiser, activations of one step
  double record = 0;            // bytes of record.db
  double checkpoints = 0;       // bytes of the two that are kept
};

// Right within a factor of about two, without the memory of attention and of the allocator.
// Throws UserError where the task cannot be made.
RunCost cost_of(const config::RunConfig& run);

}  // namespace layerlab::report
