#include "train/evaluate.h"

#include <gtest/gtest.h>

#include "models/init.h"
#include "tasks/catalogue.h"
#include "tests/support/tensors.h"
#include "train/batch.h"
#include "train/loss.h"

namespace layerlab::train {
namespace {

struct Lab {
  config::ModelConfig model_config;
  std::unique_ptr<tasks::Task> task;
  models::Stack model{nullptr};

  explicit Lab(const std::vector<std::uint64_t>& seeds) {
    model_config.depth = 1;
    model_config.width = 8;
    model_config.heads = 2;
    model_config.dropout = 0.5;
    task = tasks::make_task({{}, model_config.kind, {}});
    model =
        models::Stack(models::StackOptions{static_cast<std::int64_t>(seeds.size()), model_config,
                                           task->shape(), equation::find_block("pre_ln", {})});
    models::initialize(*model, model_config.init, seeds);
  }
};

TEST(Evaluation, IsTheLossOfHeldOutBatchesWithoutDropout) {
  Lab lab({1, 2});
  config::TrainConfig train;
  train.eval_batches = 2;
  train.batch = 3;
  const Evaluation result = evaluate(lab.model, train, *lab.task, at::kCPU);
  at::Tensor sum = at::zeros({2});
  for (int i = 0; i < 2; ++i) {
    const Batch batch = draw_batch(*lab.task, tasks::Split::kHeldOut, {1, 2}, i, 3, at::kCPU);
    const at::Tensor logits = lab.model(models::StackInput{batch.inputs, {}});
    sum = sum + score(logits, batch.targets, scored_count(batch.targets)).loss.detach() / 2;
  }
  EXPECT_THAT(result.loss, IsNear(sum, 1e-6));
}

TEST(Evaluation, IsAReplicasOwnInAnyCompany) {
  Lab both({1, 2}), alone({2});
  config::TrainConfig train;
  EXPECT_THAT(evaluate(both.model, train, *both.task, at::kCPU).loss.narrow(0, 1, 1),
              BitEqual(evaluate(alone.model, train, *alone.task, at::kCPU).loss));
}

}  // namespace
}  // namespace layerlab::train
