#include "stats/humps.h"

#include <gtest/gtest.h>

#include <vector>

namespace layerlab::stats {
namespace {

bool humped(const std::vector<double>& values) { return look_two_humped(values); }

TEST(LookTwoHumped, SeesRunsThatLearnedAndRunsThatDidNot) {
  EXPECT_TRUE(humped({2.77, 0.01, 2.76, 0.03, 0.02}));
}

TEST(LookTwoHumped, AllowsASpread) {
  EXPECT_FALSE(humped({1, 2, 3, 4, 5}));
  EXPECT_FALSE(humped({0.1, 0.4, 0.45, 0.5, 0.9}));
}

TEST(LookTwoHumped, TakesOneOutlierForAnOutlier) { EXPECT_FALSE(humped({1, 1.1, 1.2, 9})); }

TEST(LookTwoHumped, HasNothingToSayOfEqualOrFewValues) {
  EXPECT_FALSE(humped({3, 3, 3, 3}));
  EXPECT_FALSE(humped({0, 0, 9}));
  EXPECT_FALSE(humped({}));
}

}  // namespace
}  // namespace layerlab::stats
