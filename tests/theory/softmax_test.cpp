#include "theory/softmax.h"

#include <gtest/gtest.h>

namespace layerlab::theory {
namespace {

TEST(SoftmaxTheory, SpreadsEqualLogitsEvenly) {
  const Softmax softmax(0, 16);
  EXPECT_NEAR(softmax.concentration(16), 1.0 / 16, 1e-9);
  EXPECT_NEAR(softmax.concentration(4), 1.0 / 4, 1e-9);
  EXPECT_NEAR(softmax.concentration(1), 1, 1e-9);
}

// Means of 100 000 draws, good to three digits.
TEST(SoftmaxTheory, ConcentratesAsDrawsOfLogitsDo) {
  EXPECT_NEAR(Softmax(1, 16).concentration(16), 0.1323, 4e-4);
  EXPECT_NEAR(Softmax(4, 16).concentration(16), 0.3169, 1e-3);
  EXPECT_NEAR(Softmax(0.5, 4).concentration(4), 0.3313, 4e-4);
  EXPECT_NEAR(Softmax(4, 4).concentration(4), 0.5746, 1e-3);
}

TEST(SoftmaxTheory, PassesGradientsAsDrawsOfLogitsDo) {
  EXPECT_NEAR(Softmax(0, 8).sensitivity(8), 1.0 / 8 * 7 / 8, 1e-9);
  EXPECT_NEAR(Softmax(1, 16).sensitivity(16), 0.0935, 3e-4);
  EXPECT_NEAR(Softmax(4, 16).sensitivity(16), 0.1167, 4e-4);
  EXPECT_NEAR(Softmax(25, 16).sensitivity(16), 0.0853, 1e-3);
  EXPECT_EQ(Softmax(4, 8).sensitivity(1), 0);
}

TEST(SoftmaxTheory, TwoQueriesWithTheSameLogitsShareAllWithUnrelatedOnesTheMean) {
  const SoftmaxOverlap same = softmax_overlap(8, 8, /*causal=*/false, 2, 1);
  EXPECT_DOUBLE_EQ(same.own, same.shared);
  const SoftmaxOverlap unrelated = softmax_overlap(8, 8, /*causal=*/false, 2, 0);
  EXPECT_NEAR(unrelated.shared, 1.0 / 8, 1e-9);
  EXPECT_GT(unrelated.own, 2.0 / 8);
}

TEST(SoftmaxTheory, CausalQueriesSeeTheKeysUpToTheirOwn) {
  const SoftmaxOverlap uniform = softmax_overlap(3, 3, /*causal=*/true, 0, 0);
  EXPECT_NEAR(uniform.own, (1 + 1.0 / 2 + 1.0 / 3) / 3, 1e-9);
  EXPECT_NEAR(uniform.shared, (1.0 / 2 + 1.0 / 3 + 1.0 / 3) / 3, 1e-9);
}

}  // namespace
}  // namespace layerlab::theory
