#include "train/loss.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tasks/task.h"
#include "tests/support/tensors.h"

namespace layerlab::train {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Loss score_all(const at::Tensor& outputs, const at::Tensor& targets,
               const LossOptions& options = {}) {
  return score(outputs, targets, scored_count(targets), options);
}

at::Tensor classes(const std::vector<std::int64_t>& ids) {
  return at::tensor(ids).view({1, 1, -1});
}

TEST(Loss, IsTheLogOfTheClassesWhenAllAreEquallyLikely) {
  const Loss loss = score_all(at::zeros({2, 3, 4, 16}), at::zeros({2, 3, 4}, at::kLong));
  EXPECT_NEAR(loss.loss[0].item<double>(), std::log(16), 1e-6);
  EXPECT_NEAR(loss.loss[1].item<double>(), std::log(16), 1e-6);
}

TEST(Loss, LeavesOutWhatIsNotScored) {
  at::Tensor logits = at::zeros({1, 1, 2, 3}, at::kDouble);
  logits[0][0][0][2] = 50;  // wrong, and not scored
  const Loss loss =
      score_all(logits, classes({tasks::kIgnored, 1}), {.label_smoothing = 0.1, .z_loss = 0.01});
  EXPECT_NEAR(loss.loss.item<double>(), std::log(3), 1e-12);
  EXPECT_NEAR(loss.minimised.item<double>(), std::log(3) + 0.01 * std::log(3) * std::log(3), 1e-12);
}

TEST(Loss, CountsRightAnswersAmongTheScored) {
  at::Tensor logits = at::zeros({1, 1, 4, 3});
  for (int t = 0; t < 4; ++t) logits[0][0][t][1] = 1;
  const Loss loss = score_all(logits, classes({1, 1, 0, tasks::kIgnored}));
  EXPECT_NEAR(loss.accuracy.item<double>(), 2.0 / 3, 1e-6);
}

TEST(Loss, IsWhatIsMinimisedUnlessAskedOtherwise) {
  const Loss loss = score_all(at::randn({2, 2, 4, 5}), at::randint(5, {2, 2, 4}, at::kLong));
  EXPECT_THAT(loss.minimised, BitEqual(loss.loss));
}

// Two classes with p = (3/4, 1/4), the first being the target.
TEST(Loss, SharesAPartOfTheTargetAmongAllClasses) {
  const at::Tensor logits = at::tensor({std::log(3.0), 0.0}, at::kDouble).view({1, 1, 1, 2});
  const Loss loss = score_all(logits, classes({0}), {.label_smoothing = 0.2});
  const double right = std::log(4.0 / 3), wrong = std::log(4.0);
  EXPECT_NEAR(loss.loss.item<double>(), right, 1e-12);
  EXPECT_NEAR(loss.minimised.item<double>(), 0.8 * right + 0.2 * (right + wrong) / 2, 1e-12);
}

TEST(Loss, PunishesTheSquaredLogOfTheSumOfExponentials) {
  at::Tensor logits = at::tensor({std::log(3.0), 0.0}, at::kDouble).view({1, 1, 1, 2});
  logits.requires_grad_();
  const Loss loss = score_all(logits, classes({1}), {.z_loss = 0.5});
  const double log_z = std::log(4.0);
  EXPECT_NEAR(loss.loss.item<double>(), std::log(4.0), 1e-12);
  EXPECT_NEAR(loss.minimised.item<double>(), std::log(4.0) + 0.5 * log_z * log_z, 1e-12);
  loss.minimised.sum().backward();
  // d/dx_c: p_c - [c is the target] + z_loss 2 log Z p_c
  EXPECT_NEAR(logits.grad().flatten()[0].item<double>(), 0.75 + log_z * 0.75, 1e-12);
  EXPECT_NEAR(logits.grad().flatten()[1].item<double>(), 0.25 - 1 + log_z * 0.25, 1e-12);
}

TEST(Loss, OfNumbersIsTheSquaredErrorOfWhatIsScored) {
  at::Tensor outputs = at::tensor({1.0, 2.0, 5.0}, at::kDouble).view({1, 1, 3, 1});
  outputs.requires_grad_();
  const at::Tensor targets = at::tensor({2.0, kNaN, 2.0}, at::kFloat).view({1, 1, 3});
  const Loss loss = score_all(outputs, targets);
  EXPECT_NEAR(loss.loss.item<double>(), (1.0 + 9.0) / 2, 1e-12);
  EXPECT_TRUE(std::isnan(loss.accuracy.item<double>()));
  loss.minimised.sum().backward();
  EXPECT_THAT(outputs.grad().flatten(), IsNear(at::tensor({-1.0, 0.0, 3.0}, at::kDouble), 1e-12));
}

TEST(Loss, KeepsReplicasApart) {
  at::manual_seed(1);
  const at::Tensor logits = at::randn({3, 2, 4, 5});
  const at::Tensor targets = at::randint(5, {3, 2, 4}, at::kLong);
  const LossOptions options{.label_smoothing = 0.1, .z_loss = 0.01};
  const Loss together = score_all(logits, targets, options);
  for (int r = 0; r < 3; ++r) {
    const Loss alone = score_all(logits.slice(0, r, r + 1), targets.slice(0, r, r + 1), options);
    EXPECT_THAT(together.loss.slice(0, r, r + 1), BitEqual(alone.loss));
    EXPECT_THAT(together.minimised.slice(0, r, r + 1), BitEqual(alone.minimised));
  }
}

}  // namespace
}  // namespace layerlab::train
