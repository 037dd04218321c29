#include "tasks/task.h"

#include <ATen/ATen.h>

#include "core/error.h"
#include "core/names.h"
#include "tasks/copy.h"
#include "tasks/reverse.h"

namespace layerlab::tasks {

std::unique_ptr<Task> make_task(const config::TaskConfig& task, config::ModelKind kind) {
  if (task.name == "copy") return std::make_unique<CopyTask>(task, kind);
  if (task.name == "reverse") return std::make_unique<ReverseTask>(task, kind);
  throw UserError({}, "expected a task's name, got '" + task.name + "'",
                  suggestion(task.name, config::task_names()));
}

Batch draw_batch(const Task& task, const config::TaskShape& shape,
                 const std::vector<std::uint64_t>& seeds, std::int64_t step, std::int64_t batch,
                 at::Device device) {
  const auto R = static_cast<std::int64_t>(seeds.size());
  const std::int64_t T = shape.tokens;
  const auto options = at::TensorOptions(at::kLong).pinned_memory(device.is_cuda());
  Batch result{at::empty({R, batch, T}, options), at::empty({R, batch, T}, options)};
  std::int64_t* inputs = result.inputs.data_ptr<std::int64_t>();
  std::int64_t* targets = result.targets.data_ptr<std::int64_t>();
  for (const std::uint64_t seed : seeds) {
    RandomStream stream(seed, Purpose::kBatch, static_cast<std::uint64_t>(step));
    for (std::int64_t b = 0; b < batch; ++b, inputs += T, targets += T) {
      task.draw(stream, {inputs, static_cast<std::size_t>(T)},
                {targets, static_cast<std::size_t>(T)});
    }
  }
  if (device.is_cpu()) return result;
  return {result.inputs.to(device, /*non_blocking=*/true),
          result.targets.to(device, /*non_blocking=*/true)};
}

}  // namespace layerlab::tasks
