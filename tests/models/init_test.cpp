#include "models/init.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/stack.h"
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
                           config::task_shape({}, model.kind), equation::find_block(block, {})});
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
