#include "core/names.h"

#include <gtest/gtest.h>

namespace layerlab {
namespace {

TEST(Nearest, FindsTheNameWithOneLetterWrong) {
  EXPECT_EQ(nearest("widht", {"width", "depth", "heads"}), "width");
}

TEST(Nearest, IsEmptyWhenNothingIsMeant) { EXPECT_EQ(nearest("zzz", {"width", "depth"}), ""); }

TEST(Nearest, IsEmptyForShortStrangers) { EXPECT_EQ(nearest("q", {"lr", "ff"}), ""); }

TEST(Suggestion, ListsTheKnownNamesWhenNoneIsNear) {
  EXPECT_EQ(suggestion("zzz", {"width", "depth"}), "known: width, depth");
}

}  // namespace
}  // namespace layerlab
