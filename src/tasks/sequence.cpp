#include "tasks/sequence.h"

#include <algorithm>

namespace layerlab::tasks {

SequenceTask::SequenceTask(const config::TaskConfig& task, config::ModelKind kind)
    : task_(task), kind_(kind) {}

void SequenceTask::draw(RandomStream& stream, std::span<std::int64_t> inputs,
                        std::span<std::int64_t> targets) const {
  const std::size_t n = task_.length;
  const std::span<std::int64_t> source = inputs.first(n);
  for (std::int64_t& symbol : source) symbol = stream.below(task_.symbols);
  const std::span<std::int64_t> result = targets.last(n);
  answer(source, result);
  switch (kind_) {
    case config::ModelKind::kEncoder:
      break;
    case config::ModelKind::kDecoder:
      std::fill(targets.begin(), targets.begin() + n, kIgnored);
      inputs[n] = task_.symbols;
      std::copy(result.begin(), result.end() - 1, inputs.begin() + n + 1);
      break;
  }
}

}  // namespace layerlab::tasks
