// From the numbers of runs to the number that a claim is about, with its uncertainty.
#pragma once

#include <functional>
#include <span>

#include "stats/interval.h"

namespace layerlab::claims {

struct Estimate {
  double value;
  int n;  // numbers it was made from; pairs of them for a ratio
  // The interval that misses the truth with probability `alpha`, were there `count` numbers like
  // these. With count = n it is the interval of those at hand. Needs two of them, for a fraction
  // one.
  std::function<stats::Interval(double count, double alpha)> interval;
};

// The mean, with Student's interval.
Estimate estimate_mean(std::span<const double> values);

// Geometric mean of numerators[i] / denominators[i], with Student's interval of the logarithms.
// REQUIRES: as many of either, all positive.
Estimate estimate_ratio(std::span<const double> numerators, std::span<const double> denominators);

// The probability of a 1, with Clopper and Pearson's interval. REQUIRES: all are 0 or 1.
Estimate estimate_fraction(std::span<const double> outcomes);

}  // namespace layerlab::claims
