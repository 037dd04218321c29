// Encoder-decoder pairs: what the two stacks share, and where gradients go at initialisation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "models/init.h"
#include "models/parameters.h"
#include "models/stack.h"
#include "tasks/catalogue.h"
#include "tests/support/tensors.h"
#include "train/batch.h"
#include "train/loss.h"

namespace layerlab::models {
namespace {

using at::Tensor;

tasks::TaskConfig reverse(int length) {
  tasks::TaskConfig task;
  task.length = length;
  return task;
}

struct Pair {
  std::unique_ptr<tasks::Task> task;
  std::vector<std::uint64_t> seeds;
  Stack model{nullptr};
  train::Batch batch;

  Pair(const std::string& block, config::ModelConfig config, int length,
       std::vector<std::uint64_t> with_seeds, std::int64_t sequences)
      : task(tasks::make_task({reverse(length), tasks::ModelKind::kEncoderDecoder, {}})),
        seeds(std::move(with_seeds)) {
    config.kind = config::ModelKind::kEncoderDecoder;
    model = Stack(StackOptions{static_cast<std::int64_t>(seeds.size()), config, task->shape(),
                               equation::find_block(block, {})});
    initialize(*model, config.init, seeds);
    batch = train::draw_batch(*task, tasks::Split::kTraining, seeds, 0, sequences, at::kCPU);
  }

  Tensor logits(const TapFunction& tap = {}) {
    return model(StackInput{batch.inputs, batch.source}, tap);
  }
};

config::ModelConfig small_model() {
  config::ModelConfig model;
  model.depth = 2;
  model.decoder_depth = 1;
  model.width = 16;
  model.ff = 32;
  return model;
}

TEST(Pair, NamesParametersAndPlacesByTheirSide) {
  Pair pair("pre_ln", small_model(), 4, {1}, 2);
  const auto parameters = pair.model->named_parameters();
  EXPECT_TRUE(parameters.contains("encoder.blocks.1.ff.up.weight"));
  EXPECT_TRUE(parameters.contains("encoder.final_norm.weight"));
  EXPECT_TRUE(parameters.contains("decoder.blocks.0.cross.q.weight"));
  EXPECT_FALSE(parameters.contains("decoder.blocks.1.ff.up.weight")) << "one block there";

  std::set<std::string> seen;
  pair.logits([&](int tap, const Tensor& value) {
    for (const equation::Site& site : pair.model->taps()[tap].sites) {
      if (site.role == "branch") {
        seen.insert(site.side + "." + std::to_string(site.layer) + "." + site.sublayer);
      }
    }
    return value;
  });
  EXPECT_THAT(seen, testing::ElementsAre("decoder.0.attn", "decoder.0.cross", "decoder.0.ff",
                                         "encoder.0.attn", "encoder.0.ff", "encoder.1.attn",
                                         "encoder.1.ff"));
}

TEST(Pair, GivesAReplicaTheBitsThatItHasAlone) {
  Pair both("post_ln", small_model(), 5, {3, 4}, 3), alone("post_ln", small_model(), 5, {4}, 3);
  EXPECT_THAT(both.logits().detach().narrow(0, 1, 1), BitEqual(alone.logits().detach()));
}

TEST(Pair, ReadsAllOfTheSourceAndNothingOfTheAnswerToCome) {
  Pair pair("pre_ln", small_model(), 5, {1}, 1);
  const Tensor before = pair.logits().detach();
  pair.batch.source.select(2, 4).fill_(0).add_(pair.batch.source.select(2, 0).eq(0));
  const Tensor other_source = pair.logits().detach();
  EXPECT_GT((before - other_source).abs().amax({0, 1, 3}).min().item<double>(), 0);
  pair.batch.inputs.select(2, 4).fill_(7);
  const Tensor other_end = pair.logits().detach();
  EXPECT_THAT(other_end.narrow(2, 0, 4), BitEqual(other_source.narrow(2, 0, 4)));
}

TEST(Pair, DoesNotReadPadding) {
  config::ModelConfig config = small_model();
  config.kind = config::ModelKind::kEncoderDecoder;
  tasks::TaskShape shape;
  shape.tokens = shape.source_tokens = 5;
  shape.vocabulary = 8;
  shape.outputs = 7;
  shape.padding = 7;
  Stack model(StackOptions{1, config, shape, equation::find_block("post_ln", {})});
  initialize(*model, config.init, {1});
  at::manual_seed(1);
  const Tensor inputs = at::randint(7, {1, 2, 5}, at::kLong);
  Tensor source = at::randint(7, {1, 2, 5}, at::kLong);
  source.narrow(2, 3, 2).fill_(7);
  const Tensor padded = model(StackInput{inputs, source}).detach();
  const Tensor shorter = model(StackInput{inputs, source.narrow(2, 0, 3)}).detach();
  EXPECT_THAT(padded, IsNear(shorter, 1e-5));
}

// The gradient of the decoder's last W_down over that of its first, mean over the seeds of logs.
double gradient_ratio(const std::string& block) {
  config::ModelConfig config;
  config.depth = 12;
  config.width = 64;
  config.heads = 4;
  config.ff = 128;
  config.init = config::Init::kXavierNormal;
  Pair pair(block, config, 16, {1, 2, 3}, 8);
  Parameters parameters(*pair.model);
  parameters.backward(train::cross_entropy(pair.logits(), pair.batch.targets).loss.sum());
  const auto norms = [&](const std::string& layer) {
    for (const Parameters::Slot& slot : parameters.slots()) {
      if (slot.name != "decoder.blocks." + layer + ".ff.down.weight") continue;
      return slot.part(parameters.gradients()).flatten(1).norm(2, 1);
    }
    return Tensor();
  };
  return (norms("11") / norms("0")).log().mean().exp().item<double>();
}

// 12 + 12 blocks with Xavier-normal weights, as in Xiong et al. 2020 (2002.04745), figure 3, where
// Post-LN's last layers get the most: 57 times, elsewhere measured at this size.
TEST(PairAtInit, GivesThePostLnDecodersLastBlockTheMostGradient) {
  EXPECT_GT(gradient_ratio("post_ln"), 20);
}

TEST(PairAtInit, GivesThePreLnDecodersLastBlockLessThanTheFirst) {
  const double ratio = gradient_ratio("pre_ln");
  EXPECT_GT(ratio, 0.5);
  EXPECT_LT(ratio, 1);
}

TEST(PairAtInit, GivesTheDeepNormDecodersBlocksTheSame) {
  const double ratio = gradient_ratio("deepnorm");
  EXPECT_GT(ratio, 0.9);
  EXPECT_LT(ratio, 1.1);
}

}  // namespace
}  // namespace layerlab::models
