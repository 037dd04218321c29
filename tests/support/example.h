// Tasks and their examples, for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/catalogue.h"
#include "tasks/example.h"

namespace layerlab::tasks {

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

using Ids = std::vector<std::int64_t>;

inline Ids part(const Ids& ids, std::size_t begin, std::size_t end) {
  return {ids.begin() + static_cast<std::ptrdiff_t>(begin),
          ids.begin() + static_cast<std::ptrdiff_t>(end)};
}

inline Request request(const char* name, ModelKind kind) {
  return request(name, kind, [](TaskConfig&) {});
}

}  // namespace layerlab::tasks
