#include "stats/welford.h"

#include <gtest/gtest.h>

#include <cmath>

namespace layerlab::stats {
namespace {

Welford of(std::initializer_list<double> values) {
  Welford moments;
  for (const double value : values) moments.add(value);
  return moments;
}

// numpy 2.4: np.mean, np.var(ddof=1).
TEST(Welford, GivesMeanAndSampleVariance) {
  EXPECT_DOUBLE_EQ(of({2.1, 2.9, 3.3, 2.4, 2.6}).mean(), 2.66);
  EXPECT_DOUBLE_EQ(of({2.1, 2.9, 3.3, 2.4, 2.6}).variance(), 0.213);
}

TEST(Welford, DoesNotCancelFarFromZero) {
  EXPECT_DOUBLE_EQ(of({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}).variance(), 30);
}

TEST(Welford, GivesExactlyZeroVarianceForEqualValues) {
  EXPECT_EQ(of({0.1, 0.1, 0.1, 0.1, 0.1}).variance(), 0);
}

TEST(Welford, IsNanWhereThereIsNothingToSay) {
  EXPECT_TRUE(std::isnan(of({}).mean()));
  EXPECT_TRUE(std::isnan(of({1}).variance()));
}

}  // namespace
}  // namespace layerlab::stats
