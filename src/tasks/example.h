#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tasks/task.h"

namespace layerlab::tasks {

// Memory for one example of this shape.
struct Example {
  std::vector<std::int64_t> source, inputs, targets;
  std::vector<float> features, values;

  explicit Example(const TaskShape& shape) {
    const auto T = static_cast<std::size_t>(shape.tokens);
    const auto F = static_cast<std::size_t>(shape.features);
    source.resize(static_cast<std::size_t>(shape.source_tokens));
    if (F == 0) inputs.resize(T);
    features.resize(T * F);
    if (shape.real) {
      values.resize(T);
    } else {
      targets.resize(T);
    }
  }
  Row row() { return {source, inputs, features, targets, values}; }
};

}  // namespace layerlab::tasks
