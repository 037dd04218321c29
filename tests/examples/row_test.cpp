#include "examples/row.h"

#include <gtest/gtest.h>

namespace layerlab::examples {
namespace {

TEST(Row, DiffersWhereOneNumberOrTheirCountDoes) {
  EXPECT_EQ(compare("", "1 2", {1, 2}).verdict, Verdict::kAgrees);
  EXPECT_EQ(compare("", "1 2", {1, 3}).verdict, Verdict::kDiffers);
  EXPECT_EQ(compare("", "1 2", {1}).verdict, Verdict::kDiffers);
  EXPECT_EQ(compare("", "1 2", {1, 2, 3}).verdict, Verdict::kDiffers);
}

TEST(Row, KnowsAnErrorOnlyWhereWhatIsRightIsComputed) {
  EXPECT_EQ(compare_with_error("", "0", "4", {4}).verdict, Verdict::kDocumentErrs);
  EXPECT_EQ(compare_with_error("", "0", "4", {5}).verdict, Verdict::kDiffers);
  EXPECT_EQ(compare_with_error("", "0", "4", {0}).verdict, Verdict::kDiffers);
  EXPECT_EQ(compare_with_error("", "0", {1, 3}, {2, {1.5, 2.5}}).verdict, Verdict::kDocumentErrs);
  EXPECT_EQ(compare_with_error("", "0", {1, 3}, {2, {0.5, 2.5}}).verdict, Verdict::kDiffers);
}

TEST(Row, AgreesWhereAnIntervalContainsTheNumber) {
  EXPECT_EQ(compare_by_interval("", "4.8990", {4.9, {4.8, 5}}).verdict, Verdict::kAgrees);
  EXPECT_EQ(compare_by_interval("", "4.8990", {4.7, {4.6, 4.8}}).verdict, Verdict::kDiffers);
  EXPECT_EQ(compare_by_interval("", "4.8990", {4.9, {4.8, 5}}).computed, "4.9 [4.8, 5]");
}

TEST(Row, AgreesWhereAnIntervalLiesInTheRegion) {
  EXPECT_EQ(compare_with_region("", ">= 1", {1, 9}, {4, {2, 6}}).verdict, Verdict::kAgrees);
  EXPECT_EQ(compare_with_region("", ">= 1", {1, 9}, {4, {0.9, 6}}).verdict, Verdict::kDiffers);
}

}  // namespace
}  // namespace layerlab::examples
