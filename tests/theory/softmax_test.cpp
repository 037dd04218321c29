#include "theory/softmax.h"

#include <gtest/gtest.h>

namespace layerlab::theory {
namespace {

TEST(Softmax, SpreadsEqualLogitsEvenly) {
  const Concentration concentration(0, 16);
  EXPECT_NEAR(concentration(16), 1.0 / 16, 1e-9);
  EXPECT_NEAR(concentration(4), 1.0 / 4, 1e-9);
  EXPECT_NEAR(concentration(1), 1, 1e-9);
}

// Means of 100 000 draws, good to three digits.
TEST(Softmax, ConcentratesAsDrawsOfLogitsDo) {
  EXPECT_NEAR(Concentration(1, 16)(16), 0.1323, 4e-4);
  EXPECT_NEAR(Concentration(4, 16)(16), 0.3169, 1e-3);
  EXPECT_NEAR(Concentration(0.5, 4)(4), 0.3313, 4e-4);
  EXPECT_NEAR(Concentration(4, 4)(4), 0.5746, 1e-3);
}

TEST(Softmax, TwoQueriesWithTheSameLogitsShareAllWithUnrelatedOnesTheMean) {
  const Spread same = spread(8, 8, /*causal=*/false, 2, 1);
  EXPECT_DOUBLE_EQ(same.own, same.shared);
  const Spread unrelated = spread(8, 8, /*causal=*/false, 2, 0);
  EXPECT_NEAR(unrelated.shared, 1.0 / 8, 1e-9);
  EXPECT_GT(unrelated.own, 2.0 / 8);
}

TEST(Softmax, CausalQueriesSeeTheKeysUpToTheirOwn) {
  const Spread uniform = spread(3, 3, /*causal=*/true, 0, 0);
  EXPECT_NEAR(uniform.own, (1 + 1.0 / 2 + 1.0 / 3) / 3, 1e-9);
  EXPECT_NEAR(uniform.shared, (1.0 / 2 + 1.0 / 3 + 1.0 / 3) / 3, 1e-9);
}

}  // namespace
}  // namespace layerlab::theory
