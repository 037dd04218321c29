#include "models/init.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/stack.h"
#include "tasks/catalogue.h"
#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

Stack make_stack(const std::vector<std::uint64_t>& seeds, int depth = 2,
                 const std::string& block = "post_ln",
                 config::Init init = config::Init::kXavierUniform) {
  config::ModelConfig model;
  model.depth = depth;
  model.width = 64;
  Stack stack(StackOptions{static_cast<std::int64_t>(seeds.size()), model,
                           tasks::make_task({{}, model.kind, {}})->shape(),
                           equation::find_block(block, {})});
  initialize(*stack, init, seeds);
  return stack;
}

at::Tensor parameter(const Stack& stack, const std::string& name) {
  return stack->named_parameters()[name].detach();
}

TEST(Init, DrawsXavierUniform) {
  const at::Tensor w = parameter(make_stack({1}), "blocks.1.ff.up.weight");  // 64 -> 128
  const double bound = std::sqrt(6.0 / (64 + 128));
  EXPECT_LE(w.abs().max().item<double>(), bound);
  EXPECT_GT(w.abs().max().item<double>(), 0.99 * bound);
  EXPECT_NEAR(w.var().item<double>(), bound * bound / 3, 0.03 * bound * bound / 3);
}

TEST(Init, DrawsXavierNormal) {
  const at::Tensor w = parameter(make_stack({1}, 2, "post_ln", config::Init::kXavierNormal),
                                 "blocks.1.ff.up.weight");
  const double variance = 2.0 / (64 + 128);
  EXPECT_NEAR(w.var().item<double>(), variance, 0.05 * variance);
  EXPECT_GT(w.abs().max().item<double>(), 3 * std::sqrt(variance));
}

// Measured over many layers that fairseq's and transformers' own code made; for torch's default and
// the small scheme, their formulas.
struct Expected {
  config::Init init;
  const char* parameter;
  double deviation;
};

class Scheme : public testing::TestWithParam<Expected> {};

TEST_P(Scheme, HasTheDeviationsOfPublicCode) {
  config::ModelConfig model;
  model.depth = 6;
  model.width = 16;
  model.ff = 32;
  std::vector<std::uint64_t> seeds(200);
  for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] = i;
  Stack stack(StackOptions{200, model, tasks::make_task({{}, model.kind, {}})->shape(),
                           equation::find_block("post_ln", {})});
  initialize(*stack, GetParam().init, seeds);
  const double measured = parameter(stack, GetParam().parameter).std().item<double>();
  EXPECT_NEAR(measured / GetParam().deviation, 1, 0.03);
}

using config::Init;

INSTANTIATE_TEST_SUITE_P(
    Init, Scheme,
    testing::Values(Expected{Init::kFairseq, "blocks.0.attn.q.weight", 0.17754},
                    Expected{Init::kFairseq, "blocks.0.attn.q.bias", 0.14401},
                    Expected{Init::kFairseq, "blocks.0.attn.v.weight", 0.17699},
                    Expected{Init::kFairseq, "blocks.0.attn.o.weight", 0.24985},
                    Expected{Init::kFairseq, "blocks.0.ff.up.weight", 0.14444},
                    Expected{Init::kFairseq, "blocks.0.ff.up.bias", 0.14332},
                    Expected{Init::kFairseq, "blocks.0.ff.down.weight", 0.10192},
                    Expected{Init::kFairseq, "blocks.0.ff.down.bias", 0.10174},
                    Expected{Init::kTorchDefault, "blocks.0.ff.down.weight", 0.10192},
                    Expected{Init::kTorchDefault, "blocks.0.attn.o.bias", 0.14434},
                    Expected{Init::kGpt2, "blocks.5.attn.v.weight", 0.02},
                    Expected{Init::kGpt2, "embedding.token", 0.02},
                    Expected{Init::kGpt2, "embedding.position", 0.02},
                    Expected{Init::kSmall, "blocks.5.ff.down.weight", 0.15811},
                    Expected{Init::kSmall, "blocks.5.ff.up.weight", 0.15811}));

TEST(Init, LeavesFairseqsOutputBiasZero) {
  const Stack stack = make_stack({1}, 2, "post_ln", Init::kFairseq);
  EXPECT_TRUE(parameter(stack, "blocks.0.attn.o.bias").eq(0).all().item<bool>());
}

equation::NamedScalar scalar(const std::string& name, const std::string& text) {
  return {name, {text, {}}, {}};
}

Stack with(const std::vector<equation::NamedScalar>& gain,
           const std::vector<equation::NamedScalar>& deviation, Init init) {
  config::ModelConfig model;
  equation::Block block = equation::find_block("post_ln", {});
  block.gain = gain;
  block.deviation = deviation;
  Stack stack(StackOptions{1, model, tasks::make_task({{}, model.kind, {}})->shape(), block});
  initialize(*stack, init, {1});
  return stack;
}

// DeepNorm's gains at 6 blocks, as torchscale's code gives them.
TEST(Init, MultipliesWeightsByTheGainsOfTheBlock) {
  const Stack plain = with({}, {}, Init::kXavierNormal);
  const Stack scaled =
      with({scalar("v", "(8*L)^(-1/4)"), scalar("ff.up", "(8*L)^(-1/4)")}, {}, Init::kXavierNormal);
  for (const auto& [name, gain] :
       {std::pair("blocks.3.attn.v.weight", 0.37992), std::pair("blocks.3.ff.up.weight", 0.37992),
        std::pair("blocks.3.attn.q.weight", 1.0), std::pair("blocks.3.ff.down.weight", 1.0)}) {
    EXPECT_THAT(parameter(scaled, name), IsNear(parameter(plain, name) * gain, 1e-5)) << name;
  }
}

// GPT-2 scales what joins the stream by the number of sub-layers.
TEST(Init, ReplacesTheDeviationOfTheSchemeAndKeepsItsShape) {
  const Stack normal =
      with({}, {scalar("o", "0.02/sqrt(2*L)"), scalar("down", "0.02/sqrt(2*L)")}, Init::kGpt2);
  for (const char* name : {"blocks.1.attn.o.weight", "blocks.1.ff.down.weight"}) {
    EXPECT_NEAR(parameter(normal, name).std().item<double>(), 0.0057735, 0.0003) << name;
  }
  const at::Tensor uniform =
      parameter(with({}, {scalar("o", "0.1")}, Init::kXavierUniform), "blocks.1.attn.o.weight");
  EXPECT_NEAR(uniform.std().item<double>(), 0.1, 0.003);
  EXPECT_LE(uniform.abs().max().item<double>(), 0.1 * std::sqrt(3.0));
}

TEST(Init, DrawsRecurrentGatesAsTorchDoes) {
  config::ModelConfig model;
  equation::Block block;
  block.equation.text = "GRU(F(x), x)";
  Stack stack(StackOptions{1, model, tasks::make_task({{}, model.kind, {}})->shape(), block});
  initialize(*stack, Init::kGpt2, {1});
  const double bound = 1 / std::sqrt(32.0);
  for (const char* name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
    const at::Tensor values = parameter(stack, std::string("blocks.2.attn.gru.") + name);
    EXPECT_LE(values.abs().max().item<double>(), bound) << name;
    EXPECT_GT(values.abs().max().item<double>(), 0.9 * bound) << name;
  }
}

TEST(Init, LeavesBiasesZeroAndGainsOne) {
  const Stack stack = make_stack({1});
  EXPECT_TRUE(parameter(stack, "blocks.0.attn.q.bias").eq(0).all().item<bool>());
  EXPECT_TRUE(parameter(stack, "blocks.0.attn.norm.weight").eq(1).all().item<bool>());
  EXPECT_TRUE(parameter(stack, "blocks.0.attn.norm.bias").eq(0).all().item<bool>());
}

TEST(Init, DependsOnSeedAndNameOnly) {
  const Stack shallow = make_stack({7}, 2, "post_ln"), deep = make_stack({3, 7}, 5, "pre_ln");
  for (const char* name : {"blocks.1.attn.v.weight", "embedding.token", "head.weight"}) {
    EXPECT_THAT(parameter(deep, name)[1], BitEqual(parameter(shallow, name)[0])) << name;
  }
}

TEST(Init, DiffersBetweenSeedsAndBetweenParameters) {
  const Stack stack = make_stack({1, 2});
  const at::Tensor q = parameter(stack, "blocks.0.attn.q.weight");
  EXPECT_FALSE(q[0].equal(q[1]));
  EXPECT_FALSE(q[0].equal(parameter(stack, "blocks.0.attn.k.weight")[0]));
}

}  // namespace
}  // namespace layerlab::models
