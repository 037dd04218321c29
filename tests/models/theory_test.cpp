// What theory/ predicts against stacks that are drawn and run.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/module.h>

#include <cmath>
#include <numeric>
#include <ostream>

#include "config/model_parts.h"
#include "models/blocks.h"
#include "models/init.h"
#include "theory/predict.h"

namespace layerlab::models {
namespace {

using at::Tensor;

constexpr int kReplicas = 16, kBatch = 4, kTokens = 12, kMemoryTokens = 8;

struct Case {
  std::string block;
  config::ModelConfig model = {};
  bool memory = false;
};

void PrintTo(const Case& one, std::ostream* stream) {
  *stream << one.block << (one.memory ? " with a memory" : "") << (one.model.gated ? " gated" : "")
          << (one.model.kind == config::ModelKind::kDecoder ? " causal" : "");
}

Case gated() {
  Case one{"pre_ln"};
  one.model.gated = true;
  one.model.activation = config::Activation::kSilu;
  return one;
}

Case causal(bool memory) {
  Case one{"pre_ln", {}, memory};
  one.model.kind = config::ModelKind::kDecoder;
  return one;
}

Case with_biases() {
  Case one{"post_ln"};
  one.model.init = config::Init::kTorchDefault;
  return one;
}

// Means over all values of all replicas: [R, B, T, ..., D].
double mean_square(const Tensor& value) { return value.square().mean().item<double>(); }

class DrawnStack : public testing::TestWithParam<Case> {};

TEST_P(DrawnStack, IsAsTheoryPredicts) {
  config::ModelConfig model = GetParam().model;
  model.depth = 6;
  model.width = 64;
  model.heads = 4;
  equation::Sizes sizes = config::sizes_of(model);
  sizes.cross = GetParam().memory;
  torch::nn::Module owner;
  Blocks blocks(owner, {kReplicas, model},
                equation::compile(equation::find_block(GetParam().block, {}), sizes));
  std::vector<std::uint64_t> seeds(kReplicas);
  std::iota(seeds.begin(), seeds.end(), 1);
  initialize(owner, model.init, seeds);

  at::manual_seed(1);
  const Tensor x = at::randn({kReplicas, kBatch, kTokens, model.width}).set_requires_grad(true);
  ForwardContext around;
  if (GetParam().memory) {
    around.memory =
        at::randn({kReplicas, kBatch, kMemoryTokens, model.width}).set_requires_grad(true);
  }
  const std::vector<equation::Tap>& taps = blocks.program().taps;
  std::vector<double> values(taps.size()), gradients(taps.size());
  const TapFunction tap = [&](int i, const Tensor& value) {
    values[i] = mean_square(value.detach());
    if (value.requires_grad()) {
      value.register_hook([&, i](const Tensor& gradient) {
        gradients[i] = gradient.square().sum().item<double>() / kReplicas;
      });
    }
    return value;
  };
  const Tensor y = blocks.forward(x, tap, around);
  torch::autograd::backward({y}, {at::randn_like(y)});

  theory::Input input;
  input.batch = kBatch;
  input.tokens = kTokens;
  input.embedding = {1, 0};
  input.memory_tokens = kMemoryTokens;
  input.memory = {1, 0};
  const theory::Prediction prediction = theory::predict(blocks.program(), model, input);
  if (GetParam().memory) {
    const double square = mean_square(around.memory.grad());
    EXPECT_NEAR(prediction.memory_gradient.value().square, square, 0.3 * square);
  }
  for (std::size_t i = 0; i < taps.size(); ++i) {
    const equation::Site& site = taps[i].sites.front();
    const std::string place = std::to_string(site.layer) + " " + site.sublayer + " " + site.role;
    const double rms = std::sqrt(values[i]), grad_norm = std::sqrt(gradients[i]);
    EXPECT_NEAR(prediction.taps[i].rms.value(), rms, 0.15 * rms) << place;
    EXPECT_NEAR(prediction.taps[i].grad_norm.value(), grad_norm, 0.15 * grad_norm) << place;
  }
}

INSTANTIATE_TEST_SUITE_P(Theory, DrawnStack,
                         testing::Values(Case{"post_ln"}, Case{"pre_ln"}, Case{"sandwich"},
                                         Case{"deepnorm"}, Case{"lns"}, Case{"resi_dual"},
                                         Case{"b2t"}, Case{"sub_ln"}, Case{"hybrid_norm"},
                                         Case{"hyper_connections_dynamic"}, Case{"ngpt"}, gated(),
                                         causal(false), causal(true), with_biases()));

}  // namespace
}  // namespace layerlab::models
