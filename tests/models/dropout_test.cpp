#include "models/dropout.h"

#include <gtest/gtest.h>

#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

TEST(Dropout, ZeroesItsPartAndKeepsTheMean) {
  const at::Tensor y = Dropout(0.25, {1, 2}, 0)(at::ones({2, 100, 100}), "embedding");
  EXPECT_NEAR((y == 0).to(at::kDouble).mean().item<double>(), 0.25, 0.01);
  EXPECT_NEAR(y.mean().item<double>(), 1, 0.01);
}

TEST(Dropout, IsAFunctionOfSeedPlaceStepAndPart) {
  const at::Tensor x = at::ones({2, 64});
  const at::Tensor once = Dropout(0.5, {1, 2}, 3)(x, "ff");
  EXPECT_THAT(Dropout(0.5, {1, 2}, 3)(x, "ff"), BitEqual(once));
  EXPECT_THAT(Dropout(0.5, {2}, 3)(x.narrow(0, 1, 1), "ff"), BitEqual(once.narrow(0, 1, 1)))
      << "whatever the company";
  EXPECT_FALSE(at::equal(once[0], once[1]));
  EXPECT_FALSE(at::equal(Dropout(0.5, {1, 2}, 4)(x, "ff"), once));
  EXPECT_FALSE(at::equal(Dropout(0.5, {1, 2}, 3)(x, "attn"), once));
  EXPECT_FALSE(at::equal(Dropout(0.5, {1, 2}, 3, 1)(x, "ff"), once));
}

}  // namespace
}  // namespace layerlab::models
