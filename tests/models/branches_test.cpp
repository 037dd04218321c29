// Feed-forward branches, recurrent gates and embeddings against plain tensor operations.

#include <gtest/gtest.h>

#include <cmath>

#include "models/feed_forward.h"
#include "models/gru.h"
#include "models/stack.h"
#include "tasks/catalogue.h"
#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

using at::Tensor;

template <typename Module>
Module random(Module module) {
  module->to(at::kDouble);
  const c10::AutoGradMode no_gradients(false);
  for (Tensor& parameter : module->parameters()) parameter.normal_(0, 0.5);
  return module;
}

Tensor linear(const Linear& layer, const Tensor& x) {
  return at::matmul(x, layer->weight[0].t()) + layer->bias[0];
}

TEST(FeedForward, GatesThenNorms) {
  FeedForwardOptions options;
  options.model.width = 8;
  options.model.ff = 12;
  options.model.gated = true;
  options.model.activation = config::Activation::kSilu;
  options.branch.mid =
      equation::Norm{equation::NormType::kLayerNorm, "ff.norm_mid", 0, {12}, {}, 0};
  FeedForward ff = random(FeedForward(options));
  const Tensor x = at::randn({1, 2, 3, 8}, at::kDouble);
  const Tensor up_gain = at::randn({1, 1, 1, 12}, at::kDouble), gate_gain = 2 * up_gain;
  const Tensor g = linear(ff->gate, x[0]) * gate_gain[0];
  const Tensor inner = linear(ff->up, x[0]) * up_gain[0] * g / (1 + (-g).exp());
  const Tensor centred = inner - inner.mean(-1, true);
  const Tensor normed = centred / centred.square().mean(-1, true).sqrt() * ff->mid_norm->weight[0] +
                        ff->mid_norm->bias[0];
  EXPECT_THAT(ff(x, up_gain, gate_gain)[0].detach(),
              IsNear(linear(ff->down, normed).detach(), 1e-12));
}

TEST(Gru, IsTorchsCell) {
  Gru gru = random(Gru(GruOptions{1, 8}));
  const Tensor input = at::randn({1, 2, 3, 8}, at::kDouble);
  const Tensor state = at::randn({1, 2, 3, 8}, at::kDouble);
  const Tensor expected = at::gru_cell(input.view({6, 8}), state.view({6, 8}), gru->weight_ih[0],
                                       gru->weight_hh[0], gru->bias_ih[0], gru->bias_hh[0]);
  EXPECT_THAT(gru(input, state).view({6, 8}).detach(), IsNear(expected.detach(), 1e-13));
}

Stack make_stack(const config::ModelConfig& model) {
  return random(Stack(StackOptions{1, model, tasks::make_task({{}, model.kind, {}})->shape(),
                                   equation::find_block("residual_only", {})}));
}

Embedding embedding_of(const Stack& stack) { return stack->sub_stacks().back().embedding; }

TEST(Stack, ReadsItsHeadFromTheTokensWhereTheyAreTied) {
  config::ModelConfig model;
  model.kind = config::ModelKind::kDecoder;  // more tokens than classes
  model.tied = true;
  Stack stack = make_stack(model);
  Tensor x;
  const TapFunction last = [&](int, const Tensor& value) { return x = value; };
  const Tensor logits = stack(StackInput{at::arange(16).view({1, 1, 16}), {}}, last);
  const std::int64_t classes = stack->options.task.outputs;
  const Tensor expected = at::matmul(x[0], embedding_of(stack)->token[0].narrow(0, 0, classes).t());
  EXPECT_THAT(logits[0].detach(), IsNear(expected.detach(), 1e-12));
  EXPECT_FALSE(stack->named_parameters().contains("head.weight"));
}

TEST(Stack, NormsItsEmbeddingWhereTheModelSaysSo) {
  config::ModelConfig model;
  model.embedding_norm = true;
  model.norm_eps = 0;
  Stack stack = make_stack(model);
  const Tensor ids = at::arange(16).view({1, 1, 16});
  const Tensor sum = embedding_of(stack)->token[0] + embedding_of(stack)->position[0];
  const Tensor centred = sum - sum.mean(-1, true);
  const auto named = stack->named_parameters();
  const Tensor expected =
      centred / centred.square().mean(-1, true).sqrt() * named["embedding.norm.weight"][0] +
      named["embedding.norm.bias"][0];
  EXPECT_THAT(embedding_of(stack)(ids)[0][0].detach(), IsNear(expected.detach(), 1e-12));
}

TEST(Stack, AddsNoPositionsWhereTheyAreRotary) {
  config::ModelConfig model;
  model.positions = config::Positions::kRotary;
  Stack stack = make_stack(model);
  const Tensor same_token = at::zeros({1, 1, 4}, at::kLong);
  const Tensor x = embedding_of(stack)(same_token)[0][0].detach();
  EXPECT_THAT(x[3], BitEqual(x[0]));
}

}  // namespace
}  // namespace layerlab::models
