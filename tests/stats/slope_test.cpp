#include "stats/slope.h"

#include <gtest/gtest.h>

#include <vector>

namespace layerlab::stats {
namespace {

const std::vector<double> kX = {1, 2, 4, 8};
const std::vector<double> kY = {0.5, 0.7, 1.3, 1.1};

// SciPy 1.17.1: stats.linregress(x, y).slope.
TEST(Slope, IsThatOfTheLeastSquaresLine) {
  EXPECT_NEAR(least_squares_slope(kX, kY), 0.08347826086956522, 1e-15);
}

// SciPy 1.17.1: stats.kendalltau(x, y).statistic, without ties.
TEST(KendallTau, CountsPairsInOrder) {
  EXPECT_NEAR(kendall_tau(kX, kY), 2.0 / 3, 1e-15);
  EXPECT_NEAR(kendall_tau(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{3, 1, 2, 5, 4}),
              0.4, 1e-15);
}

TEST(KendallTau, CountsTiesForNeitherSide) {
  EXPECT_EQ(kendall_tau(kX, std::vector<double>{1, 1, 1, 1}), 0);
  EXPECT_NEAR(kendall_tau(kX, std::vector<double>{1, 1, 2, 3}), 5.0 / 6, 1e-15);
}

}  // namespace
}  // namespace layerlab::stats
