#include "examples/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace layerlab::examples {
namespace {

using testing::ElementsAre;

TEST(ExampleNetwork, HasBranchesThatReturnZeroUntilTold) {
  Network network("M(x)");
  EXPECT_THAT(numbers(network.forward(token({1, 2, -3, 4}))), ElementsAre(0, 0, 0, 0));
  network.let_branch_return({4, 3, 2, 1});
  EXPECT_THAT(numbers(network.forward(token({1, 2, -3, 4}))), ElementsAre(4, 3, 2, 1));
}

TEST(ExampleNetwork, MultipliesNegativeNumbersToo) {
  Network network("M(x)", sizes(2, 2, 4));
  network.let_branch_multiply(-0.5);
  EXPECT_THAT(numbers(network.forward(token({8, -4}))), ElementsAre(2, -1));
}

TEST(ExampleNetwork, HasAJacobianWithARowForEachOutput) {
  Network network("x + M(x)", sizes(1, 2, 4));
  network.let_branch_multiply(2);
  network.set("blocks.0.ff.up.bias", at::tensor({1.0, 1.0, 0.0, 0.0}, at::kDouble));
  EXPECT_THAT(numbers(jacobian(network, token({1, 2}))), ElementsAre(3, 0, 0, 3));
}

}  // namespace
}  // namespace layerlab::examples
