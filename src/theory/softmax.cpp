#include "theory/softmax.h"

#include <algorithm>
#include <cmath>

#include "theory/gaussian.h"

namespace layerlab::theory {

Concentration::Concentration(double variance, int largest) {
  // Evenly spaced in y = log l, which serves best where the integrand vanishes at both ends: l is
  // about one over the sum of exponentials.
  constexpr int kPoints = 100;
  const double deviation = std::sqrt(std::max(variance, 0.0));
  const double low = -std::log(largest) - 11 - 5 * deviation, high = 3.5 + 5 * deviation;
  const double step = (high - low) / kPoints;
  for (int i = 0; i < kPoints; ++i) {
    const double y = low + (i + 0.5) * step;
    const double squared = gaussian_mean([&](double z) {
      const double x = y + deviation * z;
      return std::exp(2 * x - std::exp(x));
    });
    const double other =
        gaussian_mean([&](double z) { return std::exp(-std::exp(y + deviation * z)); });
    points_.push_back({step * squared, other});
  }
}

double Concentration::operator()(int n) const {
  double sum = 0;
  for (const Point& point : points_) sum += point.chosen * std::pow(point.other, n - 1);
  return n * sum;
}

Spread spread(int queries, int keys, bool causal, double variance, double correlation) {
  const Concentration own(variance, keys);
  const Concentration shared(std::max(correlation, 0.0) * variance, keys);
  if (!causal) return {own(keys), shared(keys)};
  Spread sum{0, 0};
  for (int visible = 1; visible <= queries; ++visible) {
    sum.own += own(visible);
    sum.shared += (visible - 1) * shared(visible);  // with each earlier query
  }
  const double pairs = queries * (queries - 1) / 2.0;
  return {sum.own / queries, pairs > 0 ? sum.shared / pairs : 1};
}

}  // namespace layerlab::theory
