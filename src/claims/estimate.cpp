#include "claims/estimate.h"

#include <cassert>
#include <cmath>
#include <numeric>

#include "stats/welford.h"

namespace layerlab::claims {

using stats::Interval;
using stats::Welford;

Estimate estimate_mean(std::span<const double> values) {
  Welford moments;
  for (const double value : values) moments.add(value);
  const double mean = moments.mean();
  const double variance = moments.variance();
  return {mean, static_cast<int>(values.size()), [mean, variance](double count, double alpha) {
            return stats::t_interval(mean, variance, count, alpha);
          }};
}

Estimate estimate_ratio(std::span<const double> numerators, std::span<const double> denominators) {
  assert(numerators.size() == denominators.size());
  std::vector<double> logs;
  for (std::size_t i = 0; i < numerators.size(); ++i) {
    logs.push_back(std::log(numerators[i] / denominators[i]));
  }
  const Estimate log_ratio = estimate_mean(logs);
  return {std::exp(log_ratio.value), log_ratio.n,
          [interval = log_ratio.interval](double count, double alpha) {
            const Interval logarithms = interval(count, alpha);
            return Interval{std::exp(logarithms.low), std::exp(logarithms.high)};
          }};
}

Estimate estimate_fraction(std::span<const double> outcomes) {
  const double n = static_cast<double>(outcomes.size());
  const double ones = std::accumulate(outcomes.begin(), outcomes.end(), 0.0);
  return {ones / n, static_cast<int>(outcomes.size()), [ones, n](double count, double alpha) {
            return stats::fraction_interval(ones * (count / n), count, alpha);
          }};
}

}  // namespace layerlab::claims
