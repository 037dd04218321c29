#include "theory/softmax.h"

#include <algorithm>
#include <cmath>

#include "theory/gaussian.h"

namespace layerlab::theory {

namespace {

// e^(power x - e^x)
double bump(int power, double x) { return std::exp(power * x - std::exp(x)); }

// Sums over evenly spaced points serve best for what is smooth and vanishes at both ends.
template <typename Function>
void each_point(double low, double high, double step, Function function) {
  for (double x = low; x <= high; x += step) function(x);
}

}  // namespace

Softmax::Softmax(double variance, int largest) {
  const double deviation = std::sqrt(std::max(variance, 0.0));
  // y = log l is about minus the logarithm of the sum of exponentials.
  const double low = -std::log(largest) - 11 - 5 * deviation, high = 3.5 + 5 * deviation;
  const double step = (high - low) / 100;
  each_point(low, high, step, [&](double y) { points_.push_back(point(y, deviation, step)); });
}

// The expectations over x = y + s. Where s varies little they are sums over s; where it varies
// much, over x, with the first one integrated by parts.
Softmax::Point Softmax::point(double y, double deviation, double step) {
  Point result{step};
  if (deviation < 1) {
    constexpr double kStep = 0.1;
    each_point(-8, 8, kStep, [&](double z) {
      const double x = y + deviation * z, mass = kStep * density(z);
      result.none += mass * bump(0, x);
      result.two += mass * bump(2, x);
      result.three += mass * bump(3, x);
      result.four += mass * bump(4, x);
    });
  } else {
    constexpr double kStep = 0.25;
    each_point(-25, 4.5, kStep, [&](double x) {
      const double z = (x - y) / deviation, mass = kStep * density(z) / deviation;
      result.none += kStep * normal_below(z) * bump(1, x);
      result.two += mass * bump(2, x);
      result.three += mass * bump(3, x);
      result.four += mass * bump(4, x);
    });
  }
  return result;
}

double Softmax::concentration(int n) const {
  double sum = 0;
  for (const Point& point : points_) sum += point.step * point.two * std::pow(point.none, n - 1);
  return n * sum;
}

double Softmax::sensitivity(int n) const {
  if (n == 1) return 0;
  double cubes = 0, fourths = 0, pairs = 0;  // of sum a^3, sum a^4, sum of a_j^2 a_k^2
  for (const Point& point : points_) {
    const double others = point.step * std::pow(point.none, n - 1);
    cubes += others * point.three;
    fourths += others * point.four;
    pairs += point.step * std::pow(point.none, n - 2) * point.two * point.two;
  }
  const double squared = n * fourths / 6 + n * (n - 1.0) * pairs / 6;
  return std::max(concentration(n) - n * cubes + squared, 0.0);
}

SoftmaxOverlap softmax_overlap(int queries, int keys, bool causal, double variance,
                               double correlation) {
  const Softmax own(variance, keys);
  const Softmax shared(std::max(correlation, 0.0) * variance, keys);
  if (!causal) {
    return {own.concentration(keys), shared.concentration(keys), own.sensitivity(keys),
            shared.sensitivity(keys)};
  }
  SoftmaxOverlap sum{0, 0, 0, 0};
  for (int visible = 1; visible <= queries; ++visible) {
    const double earlier = visible - 1;  // queries to share its keys with
    sum.own += own.concentration(visible);
    sum.own_slope += own.sensitivity(visible);
    sum.shared += earlier * shared.concentration(visible);
    sum.shared_slope += earlier * shared.sensitivity(visible);
  }
  const double pairs = std::max(queries * (queries - 1) / 2.0, 1.0);
  return {sum.own / queries, sum.shared / pairs, sum.own_slope / queries, sum.shared_slope / pairs};
}

}  // namespace layerlab::theory
