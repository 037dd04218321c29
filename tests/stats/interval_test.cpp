#include "stats/interval.h"

#include <gtest/gtest.h>

#include <vector>

#include "stats/welford.h"

namespace layerlab::stats {
namespace {

void expect_interval(const Interval& interval, double low, double high) {
  EXPECT_NEAR(interval.low, low, 1e-12 * (1 + std::abs(low)));
  EXPECT_NEAR(interval.high, high, 1e-12 * (1 + std::abs(high)));
}

const std::vector<double> kValues = {2.1, 2.9, 3.3, 2.4, 2.6};

// SciPy 1.17.1: stats.t.interval(1 - alpha, 4, loc=mean, scale=stats.sem(values)).
TEST(MeanInterval, IsStudents) {
  expect_interval(mean_interval(kValues, 0.05), 2.086948187172634, 3.2330518128273664);
  expect_interval(mean_interval(kValues, 0.01), 1.7097255258110589, 3.6102744741889414);
}

TEST(MeanInterval, KeepsItsDigitsFarOutInTheTails) {
  const Interval interval = mean_interval(kValues, 1e-6);
  EXPECT_NEAR(interval.low, -7.5481476058243455, 1e-8);
  EXPECT_NEAR(interval.high, 12.868147605540628, 1e-8);
}

TEST(MeanInterval, IsAPointForEqualValues) {
  expect_interval(mean_interval(std::vector<double>{0.1, 0.1, 0.1}, 0.05), 0.1, 0.1);
}

Moments moments_of(const std::vector<double>& values) {
  Welford moments;
  for (const double value : values) moments.add(value);
  return {moments.mean(), moments.variance(), static_cast<double>(values.size())};
}

// SciPy 1.17.1: stats.ttest_ind(a, b, equal_var=False).confidence_interval(1 - alpha).
TEST(WelchInterval, IsWelchsAndSatterthwaites) {
  const Moments a = moments_of(kValues), b = moments_of({1.0, 2.2, 1.4});
  expect_interval(welch_interval(a, b, 0.05), -0.09088290405306299, 2.344216237386397);
  expect_interval(welch_interval(a, b, 0.01), -1.0001125296192077, 3.2534458629525416);
  EXPECT_NEAR(welch_interval(a, b, 1e-6).low, -32.26759952348001, 1e-8);
  EXPECT_DOUBLE_EQ(welch_interval(b, a, 0.05).low, -welch_interval(a, b, 0.05).high);
}

TEST(WelchInterval, IsThatOfOneSampleWhereTheOtherHasNoSpread) {
  const Interval interval = welch_interval(moments_of(kValues), {1.5, 0, 4}, 0.05);
  expect_interval(interval, 0.5869481871726338, 1.7330518128273664);
  const Interval alone = mean_interval(kValues, 0.05);
  expect_interval(interval, alone.low - 1.5, alone.high - 1.5);
}

TEST(WelchInterval, IsAPointWhereNeitherHas) {
  expect_interval(welch_interval({2.5, 0, 3}, {1.5, 0, 4}, 0.05), 1, 1);
}

// SciPy 1.17.1: stats.binomtest(k, n).proportion_ci(1 - alpha, method="exact").
TEST(FractionInterval, IsClopperAndPearsons) {
  expect_interval(fraction_interval(3, 10, 0.05), 0.06673951117773447, 0.652452850060008);
  expect_interval(fraction_interval(3, 10, 0.0125), 0.04008367938981173, 0.7252200726723637);
}

TEST(FractionInterval, ReachesZeroAndOneWhenAllRunsAgree) {
  expect_interval(fraction_interval(7, 7, 0.05), 0.5903836027749514, 1);
  expect_interval(fraction_interval(0, 5, 0.05), 0, 0.5218237501049814);
}

TEST(Intervals, OfASmallerAlphaContainThoseOfALarger) {
  for (const double alpha : {0.5, 0.1, 1e-3, 1e-9}) {
    const Interval mean = mean_interval(kValues, alpha);
    const Interval wider_mean = mean_interval(kValues, alpha / 2);
    EXPECT_TRUE(wider_mean.low < mean.low && mean.high < wider_mean.high) << alpha;
    const Interval fraction = fraction_interval(2, 5, alpha);
    const Interval wider_fraction = fraction_interval(2, 5, alpha / 2);
    EXPECT_TRUE(wider_fraction.low < fraction.low && fraction.high < wider_fraction.high) << alpha;
  }
}

}  // namespace
}  // namespace layerlab::stats
