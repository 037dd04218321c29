// How softmax spreads over random logits.
#pragma once

#include <vector>

namespace layerlab::theory {

// Expectations over a = softmax(s) of n independent s_j ~ N(0, variance). Powers of the denominator
// become integrals over l, 1/x^k = int l^(k-1) e^(-l x) dl / (k-1)!, under which the logits are
// independent; by quadrature, good to a part in 1000.
class Softmax {
 public:
  // `largest`: how many logits there are at most.
  Softmax(double variance, int largest);

  // E sum_j a_j^2: 1/n where all are equal, towards 1 where one wins.
  double concentration(int n) const;

  // E sum_j a_j^2 (c_j - sum_k a_k c_k)^2 for independent c of variance 1: what of a gradient by a
  // passes to s. It vanishes where one wins.
  double sensitivity(int n) const;

 private:
  struct Point {                          // of l
    double step = 0;                      // dl / l
    double none = 0;                      // E e^(-l e^s)
    double two = 0, three = 0, four = 0;  // E (l e^s)^k e^(-l e^s)
  };
  static Point point(double y, double deviation, double step);

  std::vector<Point> points_;
};

// Means over queries i; or over positions that predict a class, for which classes are the keys.
struct SoftmaxOverlap {
  double own = 1;           // sum_j a_ij^2
  double shared = 1;        // sum_j a_ij a_i'j of two queries i and i'
  double own_slope = 0;     // the sensitivity of a query
  double shared_slope = 0;  // its like for two queries
};

// Logits vary by `variance` between the keys of a query, and those of two queries are correlated
// by `correlation`, below 0 taken for 0. Two queries are taken to share what one has at the
// variance correlation * variance: for sum_j a_ij a_i'j exact at 0 and 1, and at most a third too
// large between for variances up to 4. A causal query sees the keys up to its own, and two share
// those of the earlier one. REQUIRES: causal: queries = keys.
SoftmaxOverlap softmax_overlap(int queries, int keys, bool causal, double variance,
                               double correlation);

}  // namespace layerlab::theory
