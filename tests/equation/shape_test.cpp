#include "equation/shape.h"

#include <gtest/gtest.h>

namespace layerlab::equation {
namespace {

TEST(Shape, ReadsAsPeopleWriteIt) {
  EXPECT_EQ(to_text({}), "a number");
  EXPECT_EQ(to_text({8}), "[8]");
  EXPECT_EQ(to_text({4, 8}), "[4, 8]");
}

TEST(Shape, BroadcastsWhatEndsAlike) {
  EXPECT_EQ(broadcast({8}, {8}), Shape{8});
  EXPECT_EQ(broadcast({}, {8}), Shape{8});
  EXPECT_EQ(broadcast({4, 8}, {8}), (Shape{4, 8}));
  EXPECT_EQ(broadcast({8}, {4, 8}), (Shape{4, 8}));
  EXPECT_EQ(broadcast({4}, {4, 8}), std::nullopt);
  EXPECT_EQ(broadcast({1}, {8}), std::nullopt) << "no silent copies";
}

TEST(Shape, MultipliesMatricesAndVectors) {
  EXPECT_EQ(matrix_product({2, 3}, {3, 4}), (Shape{2, 4}));
  EXPECT_EQ(matrix_product({3}, {3, 4}), Shape{4});
  EXPECT_EQ(matrix_product({2, 3}, {3}), Shape{2});
  EXPECT_EQ(matrix_product({3}, {3}), Shape{});
  EXPECT_EQ(matrix_product({2, 3}, {2, 3}), std::nullopt);
  EXPECT_EQ(matrix_product({}, {3}), std::nullopt);
  EXPECT_EQ(matrix_product({2, 2, 3}, {3}), std::nullopt);
}

}  // namespace
}  // namespace layerlab::equation
