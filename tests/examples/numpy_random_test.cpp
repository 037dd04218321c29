// Literal values printed by NumPy 2.

#include "examples/numpy_random.h"

#include <gtest/gtest.h>

namespace layerlab::examples {
namespace {

TEST(NumpyRandom, GivesTheNormalNumbersOfRandn) {
  NumpyRandom random(5);
  for (const double expected : {0.44122748688504143, -0.33087015189408764, 2.43077118700778,
                                -0.2520921296030769, 0.10960984157818278}) {
    EXPECT_DOUBLE_EQ(random.normal(), expected);
  }
}

TEST(NumpyRandom, GivesTheUniformNumbersOfRandomSample) {
  NumpyRandom random(0);
  EXPECT_EQ(random.uniform(), 0.5488135039273248);
  EXPECT_EQ(random.uniform(), 0.7151893663724195);
}

}  // namespace
}  // namespace layerlab::examples
