#include "claims/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stats/bootstrap.h"

namespace layerlab::claims {
namespace {

std::vector<double> squares(int count) {
  std::vector<double> values;
  for (int i = 1; i <= count; ++i) values.push_back(i * i);
  return values;
}

TEST(EstimateMean, TrustsStudentUpToNineteenNumbers) {
  const stats::Interval student = stats::mean_interval(squares(19), 0.05);
  const stats::Interval interval = estimate_mean(squares(19)).interval(19, 0.05);
  EXPECT_DOUBLE_EQ(interval.low, student.low);
  EXPECT_DOUBLE_EQ(interval.high, student.high);
}

TEST(EstimateMean, ReachesAsFarAsTheBootstrapFromTwentyNumbersOn) {
  const Estimate estimate = estimate_mean(squares(20));
  const stats::Interval student = stats::mean_interval(squares(20), 0.05);
  const stats::Interval skewed = stats::BootstrapMean(squares(20)).interval(0.05);
  ASSERT_LT(student.low, skewed.low);
  ASSERT_LT(student.high, skewed.high);
  const stats::Interval interval = estimate.interval(20, 0.05);
  EXPECT_DOUBLE_EQ(interval.low, student.low);
  EXPECT_DOUBLE_EQ(interval.high, skewed.high);
  // Four times as many numbers halve it.
  EXPECT_DOUBLE_EQ(estimate.interval(80, 0.05).high - estimate.value,
                   (skewed.high - estimate.value) / 2);
}

// With a deviation of 4/(3 2) as the least: 1 - t(0.975; 2) (2/3)/sqrt(3), t = 4.302652729749464.
TEST(EstimateTrend, IsNotSureOfFewEqualTaus) {
  const stats::Interval interval =
      estimate_trend(std::vector<double>{1, 1, 1}, /*points=*/3).interval(3, 0.05);
  EXPECT_NEAR(interval.low, 1 - 4.302652729749464 * 2 / 3 / std::sqrt(3.0), 1e-9);
  EXPECT_EQ(interval.high, 1);
}

}  // namespace
}  // namespace layerlab::claims
