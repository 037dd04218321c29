#include "stats/bimodal.h"

#include <gtest/gtest.h>

#include <vector>

namespace layerlab::stats {
namespace {

bool bimodal(const std::vector<double>& values) { return looks_bimodal(values); }

TEST(LooksBimodal, SeesRunsThatLearnedAndRunsThatDidNot) {
  EXPECT_TRUE(bimodal({2.77, 0.01, 2.76, 0.03, 0.02}));
}

TEST(LooksBimodal, AllowsASpread) {
  EXPECT_FALSE(bimodal({1, 2, 3, 4, 5}));
  EXPECT_FALSE(bimodal({0.1, 0.4, 0.45, 0.5, 0.9}));
}

TEST(LooksBimodal, TakesOneOutlierForAnOutlier) { EXPECT_FALSE(bimodal({1, 1.1, 1.2, 9})); }

TEST(LooksBimodal, HasNothingToSayOfEqualOrFewValues) {
  EXPECT_FALSE(bimodal({3, 3, 3, 3}));
  EXPECT_FALSE(bimodal({0, 0, 9}));
  EXPECT_FALSE(bimodal({}));
}

}  // namespace
}  // namespace layerlab::stats
