#include "stats/slope.h"

#include <cassert>
#include <numeric>

namespace layerlab::stats {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

int sign(double value) { return (value > 0) - (value < 0); }

}  // namespace

double least_squares_slope(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  const double mean_x = mean(x);
  const double mean_y = mean(y);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    products += (x[i] - mean_x) * (y[i] - mean_y);
    squares += (x[i] - mean_x) * (x[i] - mean_x);
  }
  assert(squares > 0);
  return products / squares;
}

double kendall_tau(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size() && x.size() >= 2);
  int agreeing = 0;  // less those that disagree
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) agreeing += sign(x[i] - x[j]) * sign(y[i] - y[j]);
  }
  const double n = static_cast<double>(x.size());
  return agreeing / (n * (n - 1) / 2);
}

}  // namespace layerlab::stats
