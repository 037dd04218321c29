#include "train/batch.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <memory>

#include "tasks/catalogue.h"
#include "tests/support/tensors.h"

namespace layerlab::train {
namespace {

using tasks::ModelKind;
using tasks::Split;

std::unique_ptr<tasks::Task> reverse(ModelKind kind) {
  return tasks::make_task({{.name = "reverse", .length = 4}, kind, {}});
}

Batch draw(ModelKind kind, const std::vector<std::uint64_t>& seeds, std::int64_t step = 0,
           Split split = Split::kTraining) {
  return draw_batch(*reverse(kind), split, seeds, step, 3, at::kCPU);
}

TEST(Batches, HaveTheShapeOfTheTask) {
  const Batch encoder = draw(ModelKind::kEncoder, {1, 2});
  EXPECT_FALSE(encoder.source.defined());
  EXPECT_EQ(encoder.inputs.sizes(), (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_THAT(encoder.targets, BitEqual(encoder.inputs.flip(2)));
  const Batch pair = draw(ModelKind::kEncoderDecoder, {1, 2});
  EXPECT_EQ(pair.source.sizes(), (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_THAT(pair.targets, BitEqual(pair.source.flip(2)));
}

TEST(Batches, DependOnSeedAndStepOnly) {
  const Batch solo = draw(ModelKind::kEncoder, {7}, 5);
  const Batch pack = draw(ModelKind::kEncoder, {3, 7}, 5);
  EXPECT_THAT(pack.inputs[1], BitEqual(solo.inputs[0]));
  EXPECT_FALSE(pack.inputs[0].equal(pack.inputs[1]));
  EXPECT_FALSE(draw(ModelKind::kEncoder, {7}, 6).inputs.equal(solo.inputs));
}

TEST(Batches, HeldOutAreTheSameForEverySeed) {
  const Batch some = draw(ModelKind::kEncoder, {3, 7}, 5, Split::kHeldOut);
  const Batch others = draw(ModelKind::kEncoder, {1}, 5, Split::kHeldOut);
  EXPECT_EQ(some.inputs.sizes(), (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_THAT(some.inputs[0], BitEqual(others.inputs[0]));
  EXPECT_THAT(some.inputs[1], BitEqual(others.inputs[0]));
  EXPECT_FALSE(draw(ModelKind::kEncoder, {1}, 6, Split::kHeldOut).inputs.equal(others.inputs));
}

}  // namespace
}  // namespace layerlab::train
