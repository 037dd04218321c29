#pragma once

#include "tasks/hash_split.h"

namespace layerlab::tasks {

// In-context linear regression: points x_i and y_i = w·x_i, with a w that only they tell; say each
// y_i from x_i and the points before. x_i and w are normal, of `dimensions` D; `length` points.
// Garg et al. 2022, arXiv 2208.01066, section 3; dtsip/in-context-learning. The loss is the mean
// squared error, whose chance value D is the variance of y.
//
//   Inputs   x_1  (y_1, 0, …)  x_2  (y_2, 0, …)  x_3        D numbers each
//   Targets  y_1       .       y_2       .       y_3
class LinearRegressionTask final : public HashSplitTask {
 public:
  explicit LinearRegressionTask(const Request& request);

 private:
  std::uint64_t draw_any(RandomStream& stream, const Row& row) const override;
};

}  // namespace layerlab::tasks
