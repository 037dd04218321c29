#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "tasks/task.h"
#include "tests/support/tensors.h"

namespace layerlab::tasks {
namespace {

using config::ModelKind;

config::TaskConfig task_named(const std::string& name, int length = 4) {
  config::TaskConfig task;
  task.name = name;
  task.length = length;
  return task;
}

Batch draw(const config::TaskConfig& task, ModelKind kind, const std::vector<std::uint64_t>& seeds,
           std::int64_t step = 0) {
  return draw_batch(*make_task(task, kind), config::task_shape(task, kind), seeds, step, 3,
                    at::kCPU);
}

TEST(Copy, AsksAnEncoderForTheInput) {
  const Batch batch = draw(task_named("copy"), ModelKind::kEncoder, {1});
  EXPECT_EQ(batch.inputs.sizes(), (std::vector<std::int64_t>{1, 3, 4}));
  EXPECT_THAT(batch.targets, BitEqual(batch.inputs));
}

TEST(Reverse, AsksAnEncoderForTheInputBackwards) {
  const Batch batch = draw(task_named("reverse"), ModelKind::kEncoder, {1});
  EXPECT_THAT(batch.targets, BitEqual(batch.inputs.flip(2)));
}

TEST(Reverse, AsksADecoderForTheAnswerAfterTheSource) {
  const Batch batch = draw(task_named("reverse"), ModelKind::kDecoder, {1});
  const at::Tensor source = batch.inputs.slice(2, 0, 4), answer = source.flip(2);
  EXPECT_EQ(batch.inputs.size(2), 8);
  EXPECT_TRUE(batch.inputs.select(2, 4).eq(16).all().item<bool>()) << "GO";
  EXPECT_THAT(batch.inputs.slice(2, 5), BitEqual(answer.slice(2, 0, 3))) << "shifted answer";
  EXPECT_TRUE(batch.targets.slice(2, 0, 4).eq(kIgnored).all().item<bool>());
  EXPECT_THAT(batch.targets.slice(2, 4), BitEqual(answer));
}

TEST(Reverse, WorksOnSequencesOfOne) {
  for (const ModelKind kind : {ModelKind::kEncoder, ModelKind::kDecoder}) {
    const Batch batch = draw(task_named("reverse", 1), kind, {1});
    EXPECT_THAT(batch.targets.slice(2, -1), BitEqual(batch.inputs.slice(2, 0, 1)));
  }
}

TEST(Batches, UseEverySymbolAndNoOther) {
  const Batch batch = draw(task_named("copy", 1000), ModelKind::kEncoder, {1});
  EXPECT_EQ(batch.inputs.min().item<std::int64_t>(), 0);
  EXPECT_EQ(batch.inputs.max().item<std::int64_t>(), 15);
}

TEST(Batches, DependOnSeedAndStepOnly) {
  const config::TaskConfig task = task_named("copy");
  const Batch solo = draw(task, ModelKind::kEncoder, {7}, 5);
  const Batch pack = draw(task, ModelKind::kEncoder, {3, 7}, 5);
  EXPECT_THAT(pack.inputs[1], BitEqual(solo.inputs[0]));
  EXPECT_FALSE(pack.inputs[0].equal(pack.inputs[1]));
  EXPECT_FALSE(draw(task, ModelKind::kEncoder, {7}, 6).inputs.equal(solo.inputs));
}

}  // namespace
}  // namespace layerlab::tasks
