#include "train/optimizer.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "config/keys.h"
#include "config/optimizers.h"
#include "tests/support/golden.h"
#include "tests/support/tensors.h"

namespace layerlab::train {
namespace {

constexpr std::int64_t kSize = 37;  // fills no whole number of vector registers

// One parameter of kSize elements.
struct Model {
  explicit Model(std::int64_t replicas, at::ScalarType dtype = at::kDouble) {
    module.register_parameter("w", at::zeros({replicas, kSize}, dtype));
    parameters.emplace(module);
  }
  at::Tensor weights() const { return parameters->slots()[0].part(parameters->values()); }
  at::Tensor gradients() const { return parameters->slots()[0].part(parameters->gradients()); }

  torch::nn::Module module{"model"};
  std::optional<models::Parameters> parameters;
};

config::RunConfig run_with(config::OptimizerKind kind, double lr) {
  config::RunConfig run;
  run.train.optimizer = kind;
  run.train.lr = lr;
  run.train.weight_decay = 0.1;
  return run;
}

// One update of all parameters.
void update(Optimizer& optimizer, const Model& model, std::int64_t step, const at::Tensor& finite) {
  optimizer.begin(step, finite);
  optimizer.update(model.parameters->all());
}

at::Tensor all_finite(std::int64_t replicas) { return at::ones({replicas}, at::kBool); }

class Optimizers : public testing::TestWithParam<config::OptimizerKind> {};

TEST_P(Optimizers, AgreeWithPyTorchOverFiftySteps) {
  const Golden golden("training/optimizers");
  const auto number = [&](const char* key) { return std::stod(golden.metadata(key)); };
  config::RunConfig run = run_with(GetParam(), number("lr"));
  run.train.weight_decay = number("weight_decay");
  run.train.betas = {number("beta1"), number("beta2")};
  run.train.eps = number("eps");
  run.train.momentum = number("momentum");
  config::RunConfig other = run_with(GetParam(), 0.5);  // a neighbour with settings of its own
  other.train.betas = {0.5, 0.999};
  Model model(2);
  model.weights().copy_(golden.tensor("initial"));
  const auto optimizer = make_optimizer(*model.parameters, {other, run});
  const at::Tensor gradients = golden.tensor("gradients");
  const at::Tensor expected = golden.tensor(name_of(GetParam()));
  ASSERT_EQ(gradients.size(0), 50);
  for (std::int64_t step = 0; step < gradients.size(0); ++step) {
    model.gradients().copy_(gradients[step]);
    update(*optimizer, model, step, all_finite(2));
    ASSERT_THAT(model.weights()[1], IsNear(expected[step], 1e-12)) << step;
  }
}

TEST_P(Optimizers, FreezeAReplicaForGoodAndNoOther) {
  const config::RunConfig run = run_with(GetParam(), 1e-2);
  Model model(2), neighbour(2);
  const auto optimizer = make_optimizer(*model.parameters, {run, run});
  const auto free = make_optimizer(*neighbour.parameters, {run, run});
  std::vector<at::Tensor> frozen;
  const auto tensors = [&](const Optimizer& of, const Model& in, int replica) {
    std::vector<at::Tensor> result = {in.weights()[replica].clone()};
    for (const auto& state : of.states()) result.push_back(state.values[replica].clone());
    return result;
  };
  at::manual_seed(1);
  for (int step = 0; step < 6; ++step) {
    model.gradients().normal_();
    neighbour.gradients().copy_(model.gradients());
    at::Tensor finite = all_finite(2);
    if (step == 3) {
      model.gradients()[0].fill_(NAN);
      finite[0] = false;
      frozen = tensors(*optimizer, model, 0);
    }
    update(*optimizer, model, step, finite);
    update(*free, neighbour, step, all_finite(2));
  }
  const auto after = tensors(*optimizer, model, 0);
  const auto other = tensors(*optimizer, model, 1), expected = tensors(*free, neighbour, 1);
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_THAT(after[i], BitEqual(frozen[i])) << i;
    EXPECT_THAT(other[i], BitEqual(expected[i])) << i;
  }
  EXPECT_FALSE(optimizer->alive()[0].item<bool>());
  EXPECT_TRUE(optimizer->alive()[1].item<bool>());
}

TEST_P(Optimizers, GiveAReplicaTheSameBitsInAnyCompany) {
  std::vector<config::RunConfig> runs;
  for (const double lr : {1e-3, 1e-2, 1e-1}) runs.push_back(run_with(GetParam(), lr));
  at::manual_seed(1);
  const at::Tensor initial = at::randn({3, kSize}), gradients = at::randn({5, 3, kSize});
  const auto train = [&](std::int64_t begin, std::int64_t end) {
    Model model(end - begin, at::kFloat);
    model.weights().copy_(initial.slice(0, begin, end));
    const auto optimizer =
        make_optimizer(*model.parameters, {runs.begin() + begin, runs.begin() + end});
    for (std::int64_t step = 0; step < gradients.size(0); ++step) {
      model.gradients().copy_(gradients[step].slice(0, begin, end));
      update(*optimizer, model, step, all_finite(end - begin));
    }
    return model.weights().clone();
  };
  const at::Tensor together = train(0, 3);
  for (int r = 0; r < 3; ++r) EXPECT_THAT(together[r], BitEqual(train(r, r + 1)[0])) << r;
}

TEST_P(Optimizers, GiveTheSameBitsInOnePassAndInParts) {
  const config::RunConfig run = run_with(GetParam(), 1e-2);
  const auto train = [&](std::int64_t columns) {
    torch::nn::Module module("model");
    at::manual_seed(1);
    for (const std::string name : {"v", "w", "x"}) {
      module.register_parameter(name, at::randn({2, kSize}));
    }
    models::Parameters parameters(module);
    const auto optimizer = make_optimizer(parameters, {run, run});
    for (std::int64_t step = 0; step < 5; ++step) {
      parameters.gradients().normal_();
      optimizer->begin(step, all_finite(2));
      for (const auto& group : parameters.groups(columns)) optimizer->update(group);
    }
    return parameters.values().clone();
  };
  EXPECT_THAT(train(1), BitEqual(train(1000)));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Optimizers, testing::ValuesIn([] {
                           std::vector<config::OptimizerKind> kinds;
                           for (const config::OptimizerRow& row : config::kOptimizers)
                             kinds.push_back(row.kind);
                           return kinds;
                         }()),
                         [](const auto& instance) { return name_of(instance.param); });

TEST(GiAdam, WarmsUpByItself) {
  config::RunConfig run = run_with(config::OptimizerKind::kGiAdam, 1e-2);
  run.train.weight_decay = 0;
  run.train.betas = {0.9, 0.99};
  Model model(1);
  const auto optimizer = make_optimizer(*model.parameters, {run});
  model.gradients().fill_(-3);
  update(*optimizer, model, 0, all_finite(1));
  EXPECT_NEAR(model.weights()[0][0].item<double>(), 1e-2 * std::sqrt(1 - 0.99), 1e-10);
}

TEST(Lion, TakesStepsOfOneSize) {
  config::RunConfig run = run_with(config::OptimizerKind::kLion, 1e-2);
  run.train.weight_decay = 0;
  Model model(1);
  const auto optimizer = make_optimizer(*model.parameters, {run});
  model.gradients().fill_(1e-6);
  model.gradients()[0][0] = -1e6;
  update(*optimizer, model, 0, all_finite(1));
  EXPECT_DOUBLE_EQ(model.weights()[0][0].item<double>(), 1e-2);
  EXPECT_DOUBLE_EQ(model.weights()[0][1].item<double>(), -1e-2);
}

TEST(Optimizer, FollowsTheScheduleOfEachRun) {
  config::RunConfig at_once = run_with(config::OptimizerKind::kSgd, 1), slowly = at_once;
  at_once.train.weight_decay = slowly.train.weight_decay = 0;
  slowly.train.warmup = 4;
  Model model(2);
  const auto optimizer = make_optimizer(*model.parameters, {at_once, slowly});
  model.gradients().fill_(-1);
  update(*optimizer, model, 0, all_finite(2));
  EXPECT_DOUBLE_EQ(model.weights()[0][0].item<double>(), 1);
  EXPECT_DOUBLE_EQ(model.weights()[1][0].item<double>(), 0.25);
}

}  // namespace
}  // namespace layerlab::train
