#include "theory/batch_shape.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "tasks/example.h"

namespace layerlab::theory {

BatchShape batch_shape(const tasks::Task& task, int batch) {
  const tasks::TaskShape& shape = task.shape();
  const bool padded = shape.padding >= 0;
  const int examples = padded ? 256 : 1;  // without padding all have one shape
  tasks::Example example(shape);
  RandomStream stream(1, Purpose::kBatch, std::uint64_t{0});
  double tokens = 0, source = 0, scored = 0;
  const auto count = [](const auto& ids, std::int64_t left_out) {
    return static_cast<double>(std::ssize(ids) - std::ranges::count(ids, left_out));
  };
  for (int i = 0; i < examples; ++i) {
    task.draw(stream, tasks::Split::kTraining, example.row());
    tokens += padded ? count(example.inputs, shape.padding) : shape.tokens;
    source += padded ? count(example.source, shape.padding) : shape.source_tokens;
    scored += count(example.targets, tasks::kIgnored);
  }
  const auto mean = [&](double sum) { return static_cast<int>(std::lround(sum / examples)); };
  return {
      batch,        mean(tokens), mean(source), mean(scored), shape.vocabulary - (padded ? 1 : 0),
      shape.outputs};
}

}  // namespace layerlab::theory
