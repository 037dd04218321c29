// The bootstrap interval of a mean: leans to where values are skewed, as Student's does not.
// Efron 1987, "Better bootstrap confidence intervals".
#pragma once

#include <span>
#include <vector>

#include "stats/interval.h"

namespace layerlab::stats {

// Bias-corrected and accelerated (BCa): of the means of kResamples samples drawn with replacement,
// the quantiles at Phi(z0 + (z0 + z)/(1 - a (z0 + z))), z = Phi^-1(alpha/2) and Phi^-1(1 -
// alpha/2); z0 = Phi^-1(share of means below the sample's), a = sum d^3 / (6 (sum d^2)^(3/2)) with
// d the deviations from the mean. The draws are a stream of their own, the same for every call, so
// an interval is a function of the values.
//
// Below kFinestAlpha there are too few resamples in the tails; there each end's distance grows as
// Student's would. Equal values give a point.
class BootstrapMean {
 public:
  static constexpr int kResamples = 10'000;
  static constexpr double kFinestAlpha = 0.004;  // 20 resamples in either tail

  // REQUIRES: at least two values.
  explicit BootstrapMean(std::span<const double> values);

  // Contains the interval of any larger alpha.
  Interval interval(double alpha) const;

 private:
  double quantile(double z) const;

  double n_, mean_ = 0;
  double bias_ = 0, acceleration_ = 0;  // z0 and a
  std::vector<double> means_;           // sorted; empty for equal values
};

}  // namespace layerlab::stats
