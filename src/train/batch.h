// Batches of a task's examples, for all replicas at once.
//   const Batch batch = draw_batch(task, tasks::Split::kTraining, seeds, step, 32, at::kCPU);
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "tasks/task.h"

namespace layerlab::train {

// By the task's shape; what it does not have is undefined.
struct Batch {
  at::Tensor source;   // [R, B, S] int64
  at::Tensor inputs;   // [R, B, T] int64, or [R, B, T, features] float
  at::Tensor targets;  // [R, B, T] int64, kIgnored where not scored; or float, NaN there
  std::vector<std::uint64_t> seeds = {};  // of the replicas: dropout draws from them, too
};

// Training: replica r's batch is drawn from (seeds[r], step) and depends on nothing else.
// Held out: from `step` alone, one batch for all replicas, whatever their seeds.
// The tensors are on `device`; where that is a GPU they arrive there asynchronously.
Batch draw_batch(const tasks::Task& task, tasks::Split split,
                 const std::vector<std::uint64_t>& seeds, std::int64_t step, std::int64_t batch,
                 at::Device device);

// Part i of n along B.
Batch part_of(const Batch& batch, std::int64_t i, std::int64_t n);

}  // namespace layerlab::train
