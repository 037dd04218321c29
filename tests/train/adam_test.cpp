#include "train/adam.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/linear.h"
#include "tests/support/tensors.h"
#include "train/clip.h"

namespace layerlab::train {
namespace {

struct Model {
  explicit Model(std::int64_t replicas) : linear(models::LinearOptions{replicas, 3, 2}) {
    linear->to(at::kDouble);
    parameters.emplace(*linear);
    at::manual_seed(1);
    parameters->values().normal_();
  }
  models::Linear linear;
  std::optional<models::Parameters> parameters;
};

at::Tensor all_finite(std::int64_t replicas) { return at::ones({replicas}, at::kBool); }

config::TrainConfig settings(config::OptimizerKind optimizer, double lr, double decay) {
  config::TrainConfig result;
  result.optimizer = optimizer;
  result.lr = lr;
  result.weight_decay = decay;
  result.betas = {0.9, 0.98};
  result.eps = 1e-8;
  return result;
}

// The update as the papers write it.
struct Reference {
  at::Tensor w, m, v;
  explicit Reference(const at::Tensor& weights)
      : w(weights.clone()), m(at::zeros_like(w)), v(at::zeros_like(w)) {}

  void step(int t, at::Tensor g, const config::TrainConfig& s) {
    const auto [b1, b2] = s.betas;
    if (s.optimizer == config::OptimizerKind::kAdamW) {
      w = w * (1 - s.lr * s.weight_decay);
    } else {
      g = g + s.weight_decay * w;
    }
    m = b1 * m + (1 - b1) * g;
    v = b2 * v + (1 - b2) * g * g;
    const at::Tensor m_hat = m / (1 - std::pow(b1, t)), v_hat = v / (1 - std::pow(b2, t));
    w = w - s.lr * m_hat / (v_hat.sqrt() + s.eps);
  }
};

class AdamKinds : public testing::TestWithParam<config::OptimizerKind> {};

TEST_P(AdamKinds, FollowsThePapersFormula) {
  Model model(2);
  const std::vector<config::TrainConfig> each = {settings(GetParam(), 1e-2, 0.1),
                                                 settings(GetParam(), 3e-3, 0)};
  Adam adam(*model.parameters, each);
  std::vector<Reference> references;
  for (int r = 0; r < 2; ++r) references.emplace_back(model.parameters->values()[r]);
  for (int step = 0; step < 30; ++step) {
    model.parameters->gradients().normal_();
    for (int r = 0; r < 2; ++r) {
      references[r].step(step + 1, model.parameters->gradients()[r], each[r]);
    }
    adam.step(step, all_finite(2));
  }
  for (int r = 0; r < 2; ++r) {
    EXPECT_THAT(model.parameters->values()[r], IsNear(references[r].w, 1e-12)) << r;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, AdamKinds,
                         testing::Values(config::OptimizerKind::kAdam,
                                         config::OptimizerKind::kAdamW));

TEST(Adam, FreezesAReplicaForGoodAndNoOther) {
  Model model(2), neighbour(2);
  const config::TrainConfig s = settings(config::OptimizerKind::kAdam, 1e-2, 0);
  Adam adam(*model.parameters, {s, s}), free(*neighbour.parameters, {s, s});
  at::Tensor frozen_at;
  for (int step = 0; step < 6; ++step) {
    at::manual_seed(step);
    model.parameters->gradients().normal_();
    neighbour.parameters->gradients().copy_(model.parameters->gradients());
    at::Tensor finite = all_finite(2);
    if (step == 3) {
      model.parameters->gradients()[0].fill_(NAN);
      finite[0] = false;
      frozen_at = model.parameters->values()[0].clone();
    }
    adam.step(step, finite);
    free.step(step, all_finite(2));
  }
  EXPECT_THAT(model.parameters->values()[0], BitEqual(frozen_at));
  EXPECT_THAT(model.parameters->values()[1], BitEqual(neighbour.parameters->values()[1]));
  EXPECT_FALSE(adam.alive()[0].item<bool>());
  EXPECT_TRUE(adam.alive()[1].item<bool>());
}

TEST(Clip, ScalesOnlyWhatIsTooLarge) {
  Model model(3);
  model.parameters->gradients().zero_();
  for (int r = 0; r < 3; ++r) model.parameters->gradients()[r][0] = 4.0;
  const at::Tensor norms = gradient_norms(*model.parameters);
  const at::Tensor limits = at::tensor({1.0, 5.0, static_cast<double>(INFINITY)});
  const at::Tensor clipped = clip_gradients(*model.parameters, norms, limits);
  EXPECT_THAT(norms, IsNear(at::tensor({4.0, 4.0, 4.0}), 0));
  EXPECT_THAT(clipped, IsNear(at::tensor({1.0, 4.0, 4.0}), 1e-15));
  EXPECT_THAT(gradient_norms(*model.parameters), IsNear(clipped, 1e-15));
}

}  // namespace
}  // namespace layerlab::train
