// Examples of a task, for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/catalogue.h"

namespace layerlab::tasks {

// One example with memory of its own. The numbers are -7 where the task wrote none.
struct Example {
  std::vector<std::int64_t> source, inputs, targets;
  std::vector<float> features, values;

  explicit Example(const TaskShape& shape) {
    const auto T = static_cast<std::size_t>(shape.tokens);
    source.assign(static_cast<std::size_t>(shape.source_tokens), -7);
    if (shape.features == 0) inputs.assign(T, -7);
    features.assign(T * static_cast<std::size_t>(shape.features), -7);
    if (!shape.real) targets.assign(T, -7);
    if (shape.real) values.assign(T, -7);
  }
  Row row() { return {source, inputs, features, targets, values}; }
  auto operator<=>(const Example&) const = default;
};

inline std::vector<Example> examples(const Task& task, int count, Split split = Split::kTraining,
                                     std::uint64_t seed = 1) {
  RandomStream stream(seed, Purpose::kBatch, std::uint64_t{0});
  std::vector<Example> drawn;
  for (int i = 0; i < count; ++i) {
    task.draw(stream, split, drawn.emplace_back(task.shape()).row());
  }
  return drawn;
}

// The settings of a task, changed by `set`.
template <typename Set>
Request request(const char* name, ModelKind kind, Set&& set) {
  Request result{{}, kind, {}};
  result.task.name = name;
  set(result.task);
  return result;
}
inline Request request(const char* name, ModelKind kind) {
  return request(name, kind, [](TaskConfig&) {});
}

}  // namespace layerlab::tasks
