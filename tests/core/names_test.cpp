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

}  // namespace
}  // namespace layerlab
