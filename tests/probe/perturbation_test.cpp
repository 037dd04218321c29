#include "probe/perturbation.h"

#include <gtest/gtest.h>

#include "tests/probe/lab.h"
#include "tests/support/tensors.h"

namespace layerlab::probe {
namespace {

TEST(RandomDirection, HasTheDeviationOfEachParameter) {
  Lab lab("post_ln");
  const at::Tensor direction = random_direction(lab.parameters, lab.seeds);
  for (const models::Parameters::Slot& slot : lab.parameters.slots()) {
    for (int r = 0; r < 2; ++r) {
      const double weights = slot.value[r].std(/*unbiased=*/false).item<double>();
      const double moved = slot.part(direction)[r].square().mean().sqrt().item<double>();
      const double spread = 6 / std::sqrt(2.0 * static_cast<double>(slot.count));
      EXPECT_NEAR(moved, weights, spread * weights) << slot.name;
    }
  }
  EXPECT_GT((direction[0] - direction[1]).abs().max().item<double>(), 0.1);
}

// By a loop over tokens, with weights that are moved by hand.
TEST(Amplification, IsTheSquaredChangeOfAToken) {
  Lab lab("pre_ln");
  const auto forward = [&] { return lab.model(models::StackInput{lab.batch(0).inputs, {}}); };
  const at::Tensor weights = lab.parameters.values().clone();
  const at::Tensor measured = amplification(lab.parameters, forward, 0.05, lab.seeds);
  EXPECT_THAT(lab.parameters.values(), BitEqual(weights));

  const c10::AutoGradMode no_gradients(false);
  const at::Tensor before = forward(), direction = random_direction(lab.parameters, lab.seeds);
  for (const models::Parameters::Slot& slot : lab.parameters.slots()) {
    at::Tensor value = slot.value;
    value += 0.05 * slot.part(direction);
  }
  const at::Tensor after = forward();
  for (int r = 0; r < 2; ++r) {
    double sum = 0;
    for (int b = 0; b < 3; ++b) {
      for (int t = 0; t < 5; ++t) {
        sum += std::pow((after[r][b][t] - before[r][b][t]).norm().item<double>(), 2);
      }
    }
    EXPECT_NEAR(measured[r].item<double>() / (sum / 15), 1, 1e-12);
  }
}

}  // namespace
}  // namespace layerlab::probe
