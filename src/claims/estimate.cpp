#include "claims/estimate.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "stats/bootstrap.h"
#include "stats/welford.h"

namespace layerlab::claims {

using stats::Interval;
using stats::Welford;

namespace {

Welford moments_of(std::span<const double> values) {
  Welford moments;
  for (const double value : values) moments.add(value);
  return moments;
}

Estimate bootstrapped_mean(std::span<const double> values) {
  const auto bootstrap = std::make_shared<stats::BootstrapMean>(values);
  const double mean = moments_of(values).mean();
  const double n = static_cast<double>(values.size());
  // Other counts are a plan for more runs: the interval shrinks with their square root.
  return {mean, static_cast<int>(values.size()),
          [bootstrap, mean, n](double count, double alpha) {
            const Interval own = bootstrap->interval(alpha);
            if (count == n) return own;
            const double shrink = std::sqrt(n / count);
            return Interval{mean + (own.low - mean) * shrink, mean + (own.high - mean) * shrink};
          },
          "the bootstrap's (BCa)"};
}

}  // namespace

Estimate estimate_mean(std::span<const double> values) {
  if (values.size() >= kBootstrapFrom) return bootstrapped_mean(values);
  const Welford moments = moments_of(values);
  return {moments.mean(), static_cast<int>(values.size()),
          [mean = moments.mean(), variance = moments.variance()](double count, double alpha) {
            return stats::t_interval(mean, variance, count, alpha);
          },
          "Student's t"};
}

Estimate estimate_geometric_mean(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  const Estimate mean = estimate_mean(logs);
  return {std::exp(mean.value), mean.n,
          [interval = mean.interval](double count, double alpha) {
            const Interval logarithms = interval(count, alpha);
            return Interval{std::exp(logarithms.low), std::exp(logarithms.high)};
          },
          mean.method + " of the logarithms"};
}

Estimate estimate_trend(std::span<const double> taus, int points) {
  assert(points >= 2);
  const Welford moments = moments_of(taus);
  const double exchange = 4.0 / (points * (points - 1.0));
  return {moments.mean(), static_cast<int>(taus.size()),
          [mean = moments.mean(), variance = std::max(moments.variance(), exchange * exchange)](
              double count, double alpha) {
            const Interval whole = stats::t_interval(mean, variance, count, alpha);
            return Interval{std::max(whole.low, -1.0), std::min(whole.high, 1.0)};
          },
          "Student's t of Kendall's taus"};
}

Estimate estimate_fraction(std::span<const double> outcomes) {
  const double n = static_cast<double>(outcomes.size());
  const double ones = std::accumulate(outcomes.begin(), outcomes.end(), 0.0);
  return {ones / n, static_cast<int>(outcomes.size()),
          [ones, n](double count, double alpha) {
            return stats::fraction_interval(ones * (count / n), count, alpha);
          },
          "Clopper and Pearson's"};
}

}  // namespace layerlab::claims
