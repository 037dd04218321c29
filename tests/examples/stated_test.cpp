#include "examples/stated.h"

#include <gtest/gtest.h>

#include <limits>

namespace layerlab::examples {
namespace {

bool agree(double value, const char* stated) { return agrees(value, read_stated(stated).front()); }

TEST(StatedNumber, MayBeRoundedOrCutAtItsLastDigit) {
  EXPECT_TRUE(agree(13.78584918, "13.7858"));
  EXPECT_TRUE(agree(0.0134627433, "0.013462"));
  EXPECT_FALSE(agree(0.0134642, "0.013462"));
  EXPECT_TRUE(agree(74.28, "~74"));
  EXPECT_FALSE(agree(76, "~74"));
}

TEST(StatedNumber, OfAPowerOfTenIsHeldToItsDigits) {
  EXPECT_TRUE(agree(1.0957e-18, "1.1e-18"));
  EXPECT_FALSE(agree(1.0957e-18, "1.9e-18"));
}

TEST(StatedNumber, WithoutAPointIsExact) {
  EXPECT_TRUE(agree(0.01, "1/100"));
  EXPECT_FALSE(agree(0.0101, "1/100"));
  EXPECT_TRUE(agree(-1, "-1"));
  EXPECT_FALSE(agree(-1.001, "-1"));
}

TEST(StatedNumber, ThatIsNoneAgreesWithNoneOnly) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(agree(kNan, "nan"));
  EXPECT_FALSE(agree(0, "nan"));
  EXPECT_FALSE(agree(kNan, "0"));
  EXPECT_FALSE(agree(kNan, "0.5"));
}

TEST(StatedNumber, GivesItsDigitsToWhatIsComputed) {
  const auto text = [](double value, const char* stated) {
    return as_stated(value, read_stated(stated).front());
  };
  EXPECT_EQ(text(1.0957e-18, "1.9e-18"), "1.1e-18");
  EXPECT_EQ(text(2.0, "2.0000"), "2.0000");
  EXPECT_EQ(text(-1e-17, "0"), "0");
  EXPECT_EQ(text(0.0099999999995, "1/100"), "0.01");
}

}  // namespace
}  // namespace layerlab::examples
