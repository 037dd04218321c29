#include "models/norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

using at::Tensor;
using equation::NormType;

constexpr int kReplicas = 2, kWidth = 6;

// A norm in float64 with random parameters, and something to norm.
struct Fixture {
  Norm norm;
  Tensor x;

  explicit Fixture(NormOptions options, std::vector<std::int64_t> inner = {})
      : norm([&] {
          options.replicas = kReplicas;
          return options;
        }()) {
    at::manual_seed(1);
    norm->to(at::kDouble);
    const c10::AutoGradMode no_gradients(false);
    for (Tensor& parameter : norm->parameters()) parameter.normal_();
    std::vector<std::int64_t> sizes = {kReplicas, 3, 4};
    sizes.insert(sizes.end(), inner.begin(), inner.end());
    sizes.push_back(kWidth);
    x = 3 * at::randn(sizes, at::kDouble) + 1;
  }

  Tensor operator()() {
    const c10::AutoGradMode no_gradients(false);
    return norm(x);
  }
};

Tensor length(const Tensor& x) { return x.square().sum(-1, true).sqrt(); }

TEST(Norm, OfALayerIsCentredAndDividedByTheBiasedDeviation) {
  Fixture f({.type = NormType::kLayerNorm, .eps = 1e-2, .weight = {kWidth}});
  const Tensor result = f();
  for (int r = 0; r < kReplicas; ++r) {
    const Tensor centred = f.x[r] - f.x[r].mean(-1, true);
    const Tensor unit = centred / (centred.square().mean(-1, true) + 1e-2).sqrt();
    EXPECT_THAT(result[r], IsNear(unit * f.norm->weight[r] + f.norm->bias[r], 1e-13));
  }
}

TEST(Norm, CanCountTheVarianceOverOneLessAndAddEpsToTheRoot) {
  Fixture f({.type = NormType::kLayerNorm,
             .eps = 1e-2,
             .weight = {kWidth},
             .unbiased = true,
             .eps_outside = true});
  const Tensor result = f();
  for (int r = 0; r < kReplicas; ++r) {
    const Tensor unit = (f.x[r] - f.x[r].mean(-1, true)) / (f.x[r].std(-1, true, true) + 1e-2);
    EXPECT_THAT(result[r], IsNear(unit * f.norm->weight[r] + f.norm->bias[r], 1e-13));
  }
  Fixture unbiased({.type = NormType::kLayerNorm, .eps = 1e-2, .unbiased = true});
  const Tensor variance = unbiased.x.var(at::IntArrayRef{-1}, true, true);
  EXPECT_THAT(unbiased(),
              IsNear((unbiased.x - unbiased.x.mean(-1, true)) / (variance + 1e-2).sqrt(), 1e-13));
  Fixture rms({.type = NormType::kRmsNorm, .eps = 1e-2, .eps_outside = true});
  EXPECT_THAT(rms(), IsNear(rms.x / (length(rms.x) / std::sqrt(kWidth) + 1e-2), 1e-13));
}

TEST(Norm, OfRootMeanSquareIsExactWithoutEps) {
  Fixture f({.type = NormType::kRmsNorm, .eps = 0, .weight = {kWidth}});
  f.x.mul_(1e-9);
  EXPECT_FALSE(f.norm->bias.defined());
  const Tensor unit = f.x * std::sqrt(kWidth) / length(f.x);
  EXPECT_THAT(f(), IsNear(unit * f.norm->weight.view({kReplicas, 1, 1, kWidth}), 1e-13));
}

TEST(Norm, OfLengthLearnsNothing) {
  Fixture f({.type = NormType::kL2, .weight = {kWidth}});
  EXPECT_TRUE(f.norm->parameters().empty());
  EXPECT_THAT(f(), IsNear(f.x / length(f.x), 1e-13));
}

TEST(Norm, ScaleNormHasOneNumber) {
  Fixture f({.type = NormType::kScaleNorm, .weight = {kWidth}});
  EXPECT_EQ(f.norm->parameters().size(), 1);
  EXPECT_THAT(f(), IsNear(f.norm->scale.view({kReplicas, 1, 1, 1}) * f.x / length(f.x), 1e-13));
}

TEST(Norm, DynamicTanhHasANumberInsideAndGainsAndBiasesOutside) {
  Fixture f({.type = NormType::kDyT, .weight = {kWidth}});
  const Tensor result = f();
  for (int r = 0; r < kReplicas; ++r) {
    EXPECT_THAT(
        result[r],
        IsNear(f.norm->weight[r] * (f.norm->scale[r] * f.x[r]).tanh() + f.norm->bias[r], 1e-13));
  }
}

TEST(Norm, AddsItsOffsetToTheWeight) {
  Fixture f({.type = NormType::kRmsNorm, .eps = 0, .weight = {kWidth}, .offset = 1});
  const Tensor gain = 1 + f.norm->weight.view({kReplicas, 1, 1, kWidth});
  EXPECT_THAT(f(), IsNear(gain * f.x * std::sqrt(kWidth) / length(f.x), 1e-13));
}

TEST(Norm, GivesEachHeadItsOwnGain) {
  Fixture f({.type = NormType::kRmsNorm, .eps = 0, .weight = {2, kWidth}}, {2});
  const Tensor gain = f.norm->weight.view({kReplicas, 1, 1, 2, kWidth});
  EXPECT_THAT(f(), IsNear(gain * f.x * std::sqrt(kWidth) / length(f.x), 1e-13));
}

TEST(Norm, NormsEachStreamAsItWouldAlone) {
  for (const NormType type : {NormType::kLayerNorm, NormType::kScaleNorm, NormType::kDyT}) {
    Fixture f({.type = type, .weight = {kWidth}}, {5});
    const Tensor together = f();
    f.x = f.x.select(3, 2).contiguous();
    EXPECT_THAT(together.select(3, 2), IsNear(f(), 1e-13));
  }
}

TEST(Norm, BeginsAsTheBareNorm) {
  for (const NormType type : {NormType::kLayerNorm, NormType::kRmsNorm, NormType::kScaleNorm}) {
    const Tensor x = at::randn({1, 2, 3, kWidth});
    Norm learned(NormOptions{.type = type, .weight = {kWidth}, .offset = 1});
    Norm bare(NormOptions{.type = type});
    EXPECT_TRUE(bare->parameters().empty());
    EXPECT_THAT(learned(x).detach(), IsNear(bare(x), 1e-6));
  }
}

TEST(NormOptions, TakeFromTheModelWhatTheEquationLeavesOpen) {
  config::ModelConfig model;
  model.norm = config::NormKind::kRmsNorm;
  model.norm_eps = 1e-3;
  model.norm_bias = false;
  equation::Norm text;
  text.type = NormType::kModel;
  EXPECT_EQ(norm_options(1, text, model).type, NormType::kRmsNorm);
  EXPECT_EQ(norm_options(1, text, model).eps, 1e-3);
  EXPECT_FALSE(norm_options(1, text, model).bias);
  text.type = NormType::kLayerNorm;
  text.eps = 0;
  text.bias = true;
  EXPECT_EQ(norm_options(1, text, model).type, NormType::kLayerNorm);
  EXPECT_EQ(norm_options(1, text, model).eps, 0);
  EXPECT_TRUE(norm_options(1, text, model).bias);
}

}  // namespace
}  // namespace layerlab::models
