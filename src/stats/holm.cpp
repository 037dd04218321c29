#include "stats/holm.h"

#include <algorithm>
#include <numeric>

namespace layerlab::stats {

Holm holm(std::span<const double> p, double alpha) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [p](std::size_t a, std::size_t b) { return p[a] < p[b]; });

  Holm result{std::vector<double>(p.size()), std::vector<double>(p.size())};
  double remaining = static_cast<double>(p.size());
  double adjusted = 0;
  double threshold = 0;
  bool failed = false;
  for (const std::size_t i : order) {
    if (!failed) threshold = alpha / remaining;
    failed = failed || p[i] > threshold;
    adjusted = std::max(adjusted, std::min(1.0, remaining * p[i]));
    result.adjusted[i] = adjusted;
    result.threshold[i] = threshold;
    --remaining;
  }
  return result;
}

}  // namespace layerlab::stats
