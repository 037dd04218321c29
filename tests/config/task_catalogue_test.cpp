#include "config/task_catalogue.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/user_error.h"

namespace layerlab::config {
namespace {

TEST(TaskCatalogue, EncodersSeeTheSymbolsOnly) {
  const TaskShape shape = task_shape({"reverse", 5, 7}, ModelKind::kEncoder);
  EXPECT_EQ(shape.tokens, 5);
  EXPECT_EQ(shape.vocabulary, 7);
  EXPECT_EQ(shape.outputs, 7);
  EXPECT_DOUBLE_EQ(shape.chance_loss, std::log(7));
}

TEST(TaskCatalogue, DecodersSeeASeparatorAndTheShiftedAnswer) {
  const TaskShape shape = task_shape({"copy", 5, 7}, ModelKind::kDecoder);
  EXPECT_EQ(shape.tokens, 10);
  EXPECT_EQ(shape.vocabulary, 8);
  EXPECT_EQ(shape.outputs, 7);
}

TEST(TaskCatalogue, RefusesUnknownTasksWithTheNearest) {
  EXPECT_EQ(refusal([] {
              task_shape({"revers", 5, 7}, ModelKind::kEncoder, Place{"demo.toml", 2, 3});
            }),
            "demo.toml:2:3: unknown task revers; did you mean 'reverse'?");
}

}  // namespace
}  // namespace layerlab::config
