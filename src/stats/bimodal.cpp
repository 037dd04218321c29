#include "stats/bimodal.h"

#include <algorithm>
#include <vector>

namespace layerlab::stats {

bool looks_bimodal(std::span<const double> values) {
  if (values.size() < 4) return false;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  double widest = 0;
  for (std::size_t i = 2; i + 2 <= sorted.size(); ++i) {
    widest = std::max(widest, sorted[i] - sorted[i - 1]);
  }
  return widest > 0.75 * (sorted.back() - sorted.front());
}

}  // namespace layerlab::stats
