#include "train/step.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/init.h"
#include "tests/support/tensors.h"

namespace layerlab::train {
namespace {

// One step of two replicas of a small decoder, most of whose positions are not scored in the first
// sequence.
struct Lab {
  explicit Lab(at::ScalarType dtype) {
    run.task.length = 5;
    run.task.symbols = 2;
    run.model.kind = config::ModelKind::kDecoder;
    run.model.depth = 2;
    run.model.width = 8;
    run.model.heads = 2;
    run.model.ff = 12;
    run.block = equation::find_block("pre_ln", {});
    const config::TaskShape shape = config::task_shape(run.task, run.model.kind);
    model = models::Stack(models::StackOptions{2, run.model, shape, run.block});
    models::initialize(*model, run.model.init, {1, 2});
    model->to(dtype);
    batch = tasks::draw_batch(*tasks::make_task(run.task, run.model.kind), shape, {1, 2}, 0, 4,
                              at::kCPU);
    batch.targets.slice(1, 0, 1).slice(2, 6).fill_(tasks::kIgnored);
  }

  StepResult step() {
    parameters.emplace(*model);
    const auto optimizer = make_optimizer(*parameters, {run, run});
    const at::Tensor no_limit =
        at::full({2}, std::numeric_limits<double>::infinity(), parameters->values().options());
    return train_step(model, *parameters, *optimizer, run.train, batch, 0, no_limit, nullptr);
  }

  config::RunConfig run;
  models::Stack model{nullptr};
  tasks::Batch batch;
  std::optional<models::Parameters> parameters;
};

TEST(Step, OfABatchInPartsIsThatOfTheWhole) {
  Lab whole(at::kDouble), parts(at::kDouble);
  parts.run.train.accumulate = 4;
  const StepResult expected = whole.step(), result = parts.step();
  EXPECT_THAT(result.loss, IsNear(expected.loss, 1e-13));
  EXPECT_THAT(result.accuracy, IsNear(expected.accuracy, 1e-6));
  EXPECT_THAT(result.grad_norm, IsNear(expected.grad_norm, 1e-13));
  EXPECT_THAT(parts.parameters->gradients(), IsNear(whole.parameters->gradients(), 1e-13));
}

TEST(Step, RecordsTheSameLossWhateverIsMinimised) {
  Lab plain(at::kDouble), smooth(at::kDouble);
  smooth.run.train.label_smoothing = 0.1;
  smooth.run.train.z_loss = 1e-3;
  const StepResult expected = plain.step(), result = smooth.step();
  EXPECT_THAT(result.loss, BitEqual(expected.loss));
  EXPECT_GT(relative_error(smooth.parameters->gradients(), plain.parameters->gradients()), 1e-3);
}

TEST(Step, InBfloat16IsNearAndKeepsParametersWhole) {
  Lab whole(at::kFloat), half(at::kFloat);
  half.run.train.dtype = config::Dtype::kBfloat16;
  const StepResult expected = whole.step(), result = half.step();
  EXPECT_EQ(half.parameters->values().scalar_type(), at::kFloat);
  EXPECT_EQ(result.loss.scalar_type(), at::kFloat);
  EXPECT_THAT(result.loss, IsNear(expected.loss, 1e-2));
  EXPECT_GT(relative_error(result.loss, expected.loss), 1e-6) << "nothing was rounded";
  const at::Tensor rounded = half.parameters->gradients(), exact = whole.parameters->gradients();
  EXPECT_GT(at::cosine_similarity(rounded, exact).min().item<double>(), 0.99);
}

}  // namespace
}  // namespace layerlab::train
