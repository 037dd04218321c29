#include "theory/depth.h"

#include <gmock/gmock.h>

namespace layerlab::theory {
namespace {

TEST(Depth, FindsWhatLeavesEachBlock) {
  equation::Sizes sizes;
  sizes.depth = 3;
  sizes.width = 8;
  const equation::Program program = equation::compile(equation::find_block("pre_ln", {}), sizes);
  const std::vector<int> outputs = block_outputs(program);
  ASSERT_EQ(outputs.size(), 3);
  for (int layer = 0; layer < 3; ++layer) {
    const equation::Site& site = program.taps[outputs[layer]].sites.front();
    EXPECT_EQ(site.layer, layer);
    EXPECT_EQ(site.sublayer, "ff");
  }
}

TEST(Depth, ExponentIsThePowerOfTheBlock) {
  EXPECT_NEAR(growth_exponent(std::vector<double>{3, 3, 3, 3}), 0, 1e-12);
  EXPECT_NEAR(growth_exponent(std::vector<double>{5, 20, 45, 80}), 2, 1e-12);
}

}  // namespace
}  // namespace layerlab::theory
