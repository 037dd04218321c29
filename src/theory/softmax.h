// How softmax spreads over random logits.
#pragma once

#include <vector>

namespace layerlab::theory {

// E sum_j a_j^2 for a = softmax(s) of n independent s_j ~ N(0, variance): 1/n where all are equal,
// towards 1 where one wins. With 1/x^2 = int l e^(-l x) dl for the square of the denominator,
//   E sum_j a_j^2 = n int l E[e^(2s) e^(-l e^s)] E[e^(-l e^s)]^(n-1) dl,
// by quadrature, good to a part in 1000 up to a variance of 25.
class Concentration {
 public:
  // `largest`: how many logits there are at most.
  Concentration(double variance, int largest);

  double operator()(int n) const;

 private:
  struct Point {
    double chosen;  // dl l E[e^(2s) e^(-l e^s)]
    double other;   // E[e^(-l e^s)]
  };
  std::vector<Point> points_;  // of l
};

// Means over queries; or over positions that predict a class, for which classes are the keys.
struct Spread {
  double own = 1;     // sum_j a_ij^2
  double shared = 1;  // sum_j a_ij a_i'j of two queries i and i'
};

// Logits vary by `variance` between the keys of a query, and those of two queries are correlated
// by `correlation`, below 0 taken for 0. The second sum is the first one's at the variance
// correlation * variance: exact at 0 and 1, and at most a third too large between for variances
// up to 4. A causal query sees the keys up to its own, and two share those of the earlier one.
// REQUIRES: causal: queries = keys.
Spread spread(int queries, int keys, bool causal, double variance, double correlation);

}  // namespace layerlab::theory
