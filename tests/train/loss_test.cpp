#include "train/loss.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tasks/task.h"
#include "tests/support/tensors.h"

namespace layerlab::train {
namespace {

TEST(Loss, IsTheLogOfTheClassesWhenAllAreEquallyLikely) {
  const Loss loss = cross_entropy(at::zeros({2, 3, 4, 16}), at::zeros({2, 3, 4}, at::kLong));
  EXPECT_NEAR(loss.loss[0].item<double>(), std::log(16), 1e-6);
  EXPECT_NEAR(loss.loss[1].item<double>(), std::log(16), 1e-6);
}

TEST(Loss, LeavesOutWhatIsNotScored) {
  at::Tensor logits = at::zeros({1, 1, 2, 3}, at::kDouble);
  logits[0][0][0][2] = 50;  // wrong, and not scored
  const at::Tensor targets = at::tensor({tasks::kIgnored, std::int64_t{1}}).view({1, 1, 2});
  const Loss loss = cross_entropy(logits, targets);
  EXPECT_NEAR(loss.loss.item<double>(), std::log(3), 1e-12);
}

TEST(Loss, CountsRightAnswersAmongTheScored) {
  at::Tensor logits = at::zeros({1, 1, 4, 3});
  for (int t = 0; t < 4; ++t) logits[0][0][t][1] = 1;
  const at::Tensor targets =
      at::tensor({std::int64_t{1}, std::int64_t{1}, std::int64_t{0}, tasks::kIgnored})
          .view({1, 1, 4});
  EXPECT_NEAR(cross_entropy(logits, targets).accuracy.item<double>(), 2.0 / 3, 1e-6);
}

TEST(Loss, KeepsReplicasApart) {
  at::manual_seed(1);
  const at::Tensor logits = at::randn({3, 2, 4, 5});
  const at::Tensor targets = at::randint(5, {3, 2, 4}, at::kLong);
  const at::Tensor together = cross_entropy(logits, targets).loss;
  for (int r = 0; r < 3; ++r) {
    const at::Tensor alone =
        cross_entropy(logits.slice(0, r, r + 1), targets.slice(0, r, r + 1)).loss;
    EXPECT_THAT(together.slice(0, r, r + 1), BitEqual(alone));
  }
}

}  // namespace
}  // namespace layerlab::train
