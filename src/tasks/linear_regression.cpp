#include "tasks/linear_regression.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "tasks/limits.h"

namespace layerlab::tasks {
namespace {

TaskShape shape_of(const Request& request) {
  require_decoder(request, "the answers among the inputs");
  TaskShape shape;
  shape.tokens = 2 * request.task.length - 1;
  shape.features = request.task.dimensions;
  shape.outputs = 1;
  shape.real = true;
  shape.chance_loss = request.task.dimensions;
  return shape;
}

}  // namespace

LinearRegressionTask::LinearRegressionTask(const Request& request)
    : HashSplitTask(request, shape_of(request), "") {}

std::uint64_t LinearRegressionTask::draw_any(RandomStream& stream, const Row& row) const {
  const auto D = static_cast<std::size_t>(shape().features);
  std::vector<double> w(D);
  for (double& weight : w) weight = stream.normal();
  std::ranges::fill(row.features, 0.0f);
  std::ranges::fill(row.values, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t t = 0; t < row.values.size(); t += 2) {
    double y = 0;
    for (std::size_t d = 0; d < D; ++d) {
      const float x = static_cast<float>(stream.normal());
      row.features[t * D + d] = x;
      y += w[d] * static_cast<double>(x);
    }
    row.values[t] = static_cast<float>(y);
    if (t + 1 < row.values.size()) row.features[(t + 1) * D] = row.values[t];
  }
  return hash_of(std::span<const float>(row.features));
}

}  // namespace layerlab::tasks
