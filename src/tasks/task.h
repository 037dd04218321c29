// Synthetic tasks: where batches come from.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "config/task_catalogue.h"
#include "core/random.h"

namespace layerlab::tasks {

// The target of positions that are not scored.
inline constexpr std::int64_t kIgnored = -100;

// Makes examples. Which example depends on the stream alone.
class Task {
 public:
  virtual ~Task() = default;

  // Draws one example into `inputs` (ids below shape.vocabulary) and `targets` (classes below
  // shape.outputs, or kIgnored), both of shape.tokens.
  virtual void draw(RandomStream& stream, std::span<std::int64_t> inputs,
                    std::span<std::int64_t> targets) const = 0;
};

// Throws UserError where the task's name is unknown.
std::unique_ptr<Task> make_task(const config::TaskConfig& task, config::ModelKind kind);

struct Batch {
  at::Tensor inputs;   // [R, B, T] int64
  at::Tensor targets;  // [R, B, T] int64
};

// Replica r's batch is drawn from (seeds[r], step) and depends on nothing else. The tensors are
// on `device`; where that is a GPU they arrive there asynchronously.
Batch draw_batch(const Task& task, const config::TaskShape& shape,
                 const std::vector<std::uint64_t>& seeds, std::int64_t step, std::int64_t batch,
                 at::Device device);

}  // namespace layerlab::tasks
