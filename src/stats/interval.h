// Confidence intervals of the estimates that claims are judged by. `alpha` is the probability that
// an interval misses the true value: 0.05 for the usual 95 %. All are two-sided with alpha/2 on
// either side, and the interval of a smaller alpha contains that of a larger one.
#pragma once

#include <span>

namespace layerlab::stats {

struct Interval {
  double low, high;
};

// The value that Student's t of so many degrees of freedom exceeds with probability alpha/2.
double t_quantile(double degrees, double alpha);

// Mean of `n` values with sample variance `variance`: mean -+ t(1 - alpha/2; n - 1)
// sqrt(variance/n) (Student 1908). Exact for normal values, good for others that are neither
// bimodal nor far out. Equal values give the interval [mean, mean]: right for a measure that does
// not depend on the seed, too sure for one whose spread the few seeds happened not to show.
// REQUIRES: n >= 2.
Interval t_interval(double mean, double variance, double n, double alpha);

// The same from the values. REQUIRES: at least two.
Interval mean_interval(std::span<const double> values, double alpha);

// Mean, variance and number of a sample; the number may be fractional when a study is being
// planned.
struct Moments {
  double mean, variance, n;
};

// Difference a.mean - b.mean of the means of two independent samples, whose variances may differ:
// Student's interval with variance va/na + vb/nb and the degrees of freedom
// (va/na + vb/nb)^2 / ((va/na)^2/(na - 1) + (vb/nb)^2/(nb - 1))
// (Welch 1938, "The significance of the difference between two means when the population variances
// are unequal"; Satterthwaite 1946). A sample of equal values adds nothing to either; two of them
// give the one point, as above. REQUIRES: a.n >= 2, b.n >= 2.
Interval welch_interval(const Moments& a, const Moments& b, double alpha);

// A probability of which `n` trials gave `successes`: Clopper and Pearson 1934. Misses the truth
// with at most alpha whatever it is. Both may be fractional when a study is being planned.
// REQUIRES: n > 0, 0 <= successes <= n.
Interval fraction_interval(double successes, double n, double alpha);

}  // namespace layerlab::stats
