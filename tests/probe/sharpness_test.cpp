#include "probe/sharpness.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/probe/lab.h"
#include "tests/support/tensors.h"

namespace layerlab::probe {
namespace {

config::RunConfig tiny_run() {
  config::RunConfig run = small_run("pre_ln");
  run.task.symbols = 3;
  run.model.depth = 1;
  run.model.width = 4;
  run.model.heads = 1;
  run.model.ff = 4;
  run.model.activation = config::Activation::kGelu;  // smooth
  return run;
}

// Replica r's Hessian [P, P], column by column from differences of gradients.
at::Tensor hessian_by_differences(Lab& lab, int r) {
  const double h = 1e-5;
  const std::int64_t P = lab.parameters.values().size(1);
  const at::Tensor hessian = at::zeros({P, P}, at::kDouble);
  for (std::int64_t i = 0; i < P; ++i) {
    const auto gradient_at = [&](double by) {
      at::Tensor value = lab.parameters.values()[r][i];
      const at::Tensor before = value.clone();
      value += by;
      lab.parameters.backward(lab.loss().sum());
      value.copy_(before);
      return lab.parameters.gradients()[r].clone();
    };
    hessian.select(1, i).copy_((gradient_at(h) - gradient_at(-h)) / (2 * h));
  }
  return (hessian + hessian.t()) / 2;
}

double largest_eigenvalue(const at::Tensor& symmetric) {
  const at::Tensor values = at::linalg_eigvalsh(symmetric);
  const at::Tensor index = values.abs().argmax();
  return values[index.item<std::int64_t>()].item<double>();
}

TEST(Sharpness, IsTheLargestEigenvalueOfTheHessian) {
  at::manual_seed(1);
  Lab lab(tiny_run());
  const auto loss = [&] { return lab.loss(); };
  const SharpnessOptions thorough{.iterations = 3000, .tolerance = 1e-10};
  const at::Tensor plain = sharpness(lab.parameters, loss, lab.seeds, thorough);
  SharpnessOptions conditioned = thorough;
  conditioned.preconditioner = at::rand_like(lab.parameters.values()) + 0.1;
  const at::Tensor scaled = sharpness(lab.parameters, loss, lab.seeds, conditioned);
  for (int r = 0; r < 2; ++r) {
    const at::Tensor hessian = hessian_by_differences(lab, r);
    EXPECT_NEAR(plain[r].item<double>() / largest_eigenvalue(hessian), 1, 1e-4);
    const at::Tensor root = conditioned.preconditioner[r].rsqrt();
    const at::Tensor by_hand = root.unsqueeze(1) * hessian * root.unsqueeze(0);
    EXPECT_NEAR(scaled[r].item<double>() / largest_eigenvalue(by_hand), 1, 1e-4);
  }
}

TEST(Sharpness, LeavesWeightsAndGradientsAlone) {
  Lab lab(tiny_run());
  lab.parameters.backward(lab.loss().sum());
  const at::Tensor weights = lab.parameters.values().clone();
  const at::Tensor gradients = lab.parameters.gradients().clone();
  sharpness(lab.parameters, [&] { return lab.loss(); }, lab.seeds, {.iterations = 3});
  EXPECT_THAT(lab.parameters.values(), BitEqual(weights));
  EXPECT_THAT(lab.parameters.gradients(), BitEqual(gradients));
}

TEST(AdamPreconditioner, IsWhatAdamDividesBy) {
  // After one step from zero, v = (1 - b2) g^2, and Adam divides by |g| + eps.
  const at::Tensor gradient = at::tensor({3.0, -4.0}, at::kDouble);
  const at::Tensor second_moment = 0.02 * gradient.square();
  EXPECT_THAT(adam_preconditioner(second_moment, 0.98, 0.5, 1),
              IsNear(at::tensor({3.5, 4.5}, at::kDouble), 1e-14));
}

}  // namespace
}  // namespace layerlab::probe
