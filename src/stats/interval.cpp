#include "stats/interval.h"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>

#include "stats/welford.h"

namespace layerlab::stats {

Interval t_interval(double mean, double variance, double n, double alpha) {
  assert(n >= 2 && variance >= 0 && alpha > 0 && alpha <= 1);
  const boost::math::students_t distribution(n - 1);
  const double t = boost::math::quantile(boost::math::complement(distribution, alpha / 2));
  const double half_width = variance > 0 ? t * std::sqrt(variance / n) : 0;
  return {mean - half_width, mean + half_width};
}

Interval mean_interval(std::span<const double> values, double alpha) {
  Welford moments;
  for (const double value : values) moments.add(value);
  return t_interval(moments.mean(), moments.variance(), static_cast<double>(values.size()), alpha);
}

Interval fraction_interval(double successes, double n, double alpha) {
  assert(n > 0 && successes >= 0 && successes <= n && alpha > 0 && alpha <= 1);
  const double failures = n - successes;
  using boost::math::beta_distribution;
  using boost::math::complement;
  using boost::math::quantile;
  return {
      successes == 0 ? 0 : quantile(beta_distribution(successes, failures + 1), alpha / 2),
      failures == 0 ? 1
                    : quantile(complement(beta_distribution(successes + 1, failures), alpha / 2)),
  };
}

}  // namespace layerlab::stats
