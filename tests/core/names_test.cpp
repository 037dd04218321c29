#include "core/names.h"

#include <gtest/gtest.h>

namespace layerlab {
namespace {

TEST(Nearest, FindsTheNameWithOneLetterWrong) {
  EXPECT_EQ(nearest("widht", {"width", "depth", "heads"}), "width");
}

TEST(Nearest, FindsWhatWasCutShortOrSpelledOut) {
  EXPECT_EQ(nearest("warm", {"width", "warmup"}), "warmup");
  EXPECT_EQ(nearest("epsilon", {"lr", "eps"}), "eps");
}

TEST(Nearest, IsEmptyWhenNothingIsMeant) { EXPECT_EQ(nearest("zzz", {"width", "depth"}), ""); }

TEST(Nearest, IsEmptyForShortStrangers) { EXPECT_EQ(nearest("q", {"lr", "ff"}), ""); }

TEST(Suggestion, ListsTheKnownNamesWhenNoneIsNear) {
  EXPECT_EQ(suggestion("zzz", {"width", "depth"}), "known: width, depth");
}

TEST(Nearest, DoesNotCompareEndlessNames) {
  const std::string endless(5'000'000, 'a');  // would take minutes
  EXPECT_EQ(nearest(endless, {endless + "b", "width"}), "");
}

TEST(DurationText, IsForPeople) {
  EXPECT_EQ(duration_text(0.4), "1 s");
  EXPECT_EQ(duration_text(59), "59 s");
  EXPECT_EQ(duration_text(100), "2 min");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
}

}  // namespace
}  // namespace layerlab
