// Mean and variance in one pass, without the cancellation of E[x^2] - mean^2.
// Welford 1962, "Note on a method for calculating corrected sums of squares and products".
#pragma once

#include <cstdint>
#include <limits>

namespace layerlab::stats {

class Welford {
 public:
  void add(double value) {
    ++count_;
    const double before = value - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (value - mean_);
  }

  std::int64_t count() const { return count_; }
  // NaN without values.
  double mean() const { return count_ > 0 ? mean_ : kNan; }
  // Of the population the values are a sample of: divides by n - 1. NaN below two values.
  // Equal values give exactly 0.
  double variance() const { return count_ > 1 ? squares_ / static_cast<double>(count_ - 1) : kNan; }

 private:
  static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared deviations from the mean
};

}  // namespace layerlab::stats
