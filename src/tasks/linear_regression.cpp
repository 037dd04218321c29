#include <algorithm>
#include <limits>
#include <vector>

#include "tasks/catalogue.h"
#include "tasks/hash_split.h"
#include "tasks/require.h"

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

class LinearRegressionTask final : public HashSplitTask {
 public:
  explicit LinearRegressionTask(const Request& request)
      : HashSplitTask(request, shape_of(request), "") {}

 private:
  std::uint64_t draw_any(RandomStream& stream, const Row& row) const override {
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
};

}  // namespace

// In-context linear regression: points x_i and y_i = w·x_i, with a w that only they tell; say each
// y_i from x_i and the points before. x_i and w are normal, with D = `dimensions` numbers; there
// are `length` points. Garg et al. 2022, arXiv 2208.01066, section 3; dtsip/in-context-learning.
// The loss is the mean squared error, whose chance value D is the variance of y.
//
//   Inputs   x_1  (y_1, 0, …)  x_2  (y_2, 0, …)  x_3        D numbers each
//   Targets  y_1       .       y_2       .       y_3
CatalogueEntry linear_regression_task() {
  return {"linear_regression",
          "tell y = w·x from points before; w is a new one each time",
          {"length", "dimensions"},
          construct<LinearRegressionTask>};
}

}  // namespace layerlab::tasks
