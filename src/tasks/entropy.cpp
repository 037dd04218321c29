#include "tasks/entropy.h"

#include <cmath>
#include <numeric>

namespace layerlab::tasks {

double entropy(const std::vector<double>& shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  double result = 0;
  for (const double share : shares) {
    if (share > 0) result -= share / sum * std::log(share / sum);
  }
  return result;
}

}  // namespace layerlab::tasks
