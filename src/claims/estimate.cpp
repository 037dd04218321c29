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

Estimate students_mean(std::span<const double> values) {
  const Welford moments = moments_of(values);
  return {moments.mean(), static_cast<int>(values.size()),
          [mean = moments.mean(), variance = moments.variance()](double count, double alpha) {
            return stats::t_interval(mean, variance, count, alpha);
          },
          "Student's t"};
}

// Student's interval, and as far on either side as the bootstrap's reaches.
Estimate widened(const Estimate& student, std::span<const double> values) {
  const auto bootstrap = std::make_shared<stats::BootstrapMean>(values);
  return {student.value, student.n,
          [student, bootstrap](double count, double alpha) {
            const Interval centred = student.interval(count, alpha);
            const Interval skewed = bootstrap->interval(alpha);
            // Of other counts, a plan for more runs: it shrinks with their square root.
            const double shrink = std::sqrt(student.n / count);
            return Interval{
                std::min(centred.low, student.value + (skewed.low - student.value) * shrink),
                std::max(centred.high, student.value + (skewed.high - student.value) * shrink)};
          },
          "Student's t and the bootstrap's BCa, the wider on either side,"};
}

std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return logs;
}

// Of what an estimate of logarithms is about.
Estimate exponential(const Estimate& of_logs) {
  return {std::exp(of_logs.value), of_logs.n,
          [interval = of_logs.interval](double count, double alpha) {
            const Interval logs = interval(count, alpha);
            return Interval{std::exp(logs.low), std::exp(logs.high)};
          },
          of_logs.method + " of the logarithms"};
}

}  // namespace

Estimate estimate_mean(std::span<const double> values) {
  const Estimate student = students_mean(values);
  return student.n < kBootstrapFrom ? student : widened(student, values);
}

Estimate estimate_geometric_mean(std::span<const double> values) {
  return exponential(estimate_mean(logarithms(values)));
}

Estimate estimate_difference(std::span<const double> where, std::span<const double> versus) {
  const Welford a = moments_of(where), b = moments_of(versus);
  const double n_a = static_cast<double>(where.size()), n_b = static_cast<double>(versus.size());
  return {a.mean() - b.mean(), static_cast<int>(where.size() + versus.size()),
          [=](double count, double alpha) {
            const double grown = count / (n_a + n_b);
            return stats::welch_interval({a.mean(), a.variance(), n_a * grown},
                                         {b.mean(), b.variance(), n_b * grown}, alpha);
          },
          "Welch's t"};
}

Estimate estimate_quotient(std::span<const double> where, std::span<const double> versus) {
  return exponential(estimate_difference(logarithms(where), logarithms(versus)));
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
