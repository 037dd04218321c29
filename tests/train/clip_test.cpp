#include "train/clip.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/linear.h"
#include "tests/support/tensors.h"

namespace layerlab::train {
namespace {

TEST(Clip, ScalesOnlyWhatIsTooLarge) {
  models::Linear linear(models::LinearOptions{3, 3, 2});
  linear->to(at::kDouble);
  models::Parameters parameters(*linear);
  for (int r = 0; r < 3; ++r) parameters.gradients()[r][0] = 4.0;
  const at::Tensor norms = gradient_norms(parameters).whole;
  const at::Tensor limits = at::tensor({1.0, 5.0, static_cast<double>(INFINITY)});
  const at::Tensor clipped = clip_gradients(parameters, norms, limits);
  EXPECT_THAT(norms, IsNear(at::tensor({4.0, 4.0, 4.0}), 0));
  EXPECT_THAT(clipped, IsNear(at::tensor({1.0, 4.0, 4.0}), 1e-15));
  EXPECT_THAT(gradient_norms(parameters).whole, IsNear(clipped, 1e-15));
}

}  // namespace
}  // namespace layerlab::train
