// Several tests at once, without being wrong more often than one of them would be.
// Holm 1979, "A simple sequentially rejective multiple test procedure".
#pragma once

#include <span>
#include <vector>

namespace layerlab::stats {

// The step-down procedure on m p-values: the smallest is held against alpha/m, the next against
// alpha/(m-1), and so on up to the first that fails its test.
struct Holm {
  // Adjusted p-values: test i is passed when adjusted[i] <= alpha. In the order of the input.
  std::vector<double> adjusted;
  // What each p-value is held against. After the first failure all others keep the failed step's
  // threshold, which none of them meets. So for all i: passed exactly when p[i] <= threshold[i],
  // and an interval that misses with probability threshold[i] agrees with the decision.
  std::vector<double> threshold;
};

Holm holm(std::span<const double> p, double alpha);

}  // namespace layerlab::stats
