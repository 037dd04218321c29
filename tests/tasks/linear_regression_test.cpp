#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/example.h"
#include "tests/support/user_error.h"

namespace layerlab::tasks {
namespace {

TEST(LinearRegression, PutsEachAnswerBehindItsPoint) {
  const auto task = make_task(request("linear_regression", ModelKind::kDecoder));
  EXPECT_EQ(task->shape().tokens, 31);
  EXPECT_EQ(task->shape().features, 5);
  EXPECT_EQ(task->shape().outputs, 1);
  EXPECT_TRUE(task->shape().real);
  const Example example = examples(*task, 1)[0];
  for (std::size_t t = 0; t + 1 < 31; t += 2) {
    EXPECT_EQ(example.features[(t + 1) * 5], example.values[t]);
    for (std::size_t d = 1; d < 5; ++d) EXPECT_EQ(example.features[(t + 1) * 5 + d], 0);
    EXPECT_TRUE(std::isnan(example.values[t + 1]));
  }
}

// In one dimension y / x is the same at every point.
TEST(LinearRegression, AnswersByOneRuleInAnExample) {
  const auto task = make_task(
      request("linear_regression", ModelKind::kDecoder, [](TaskConfig& t) { t.dimensions = 1; }));
  float before = 0;
  for (const Example& example : examples(*task, 3)) {
    const float w = example.values[0] / example.features[0];
    for (std::size_t t = 0; t < 31; t += 2) {
      EXPECT_NEAR(example.values[t], w * example.features[t], 1e-5);
    }
    EXPECT_NE(w, before);
    before = w;
  }
}

TEST(LinearRegression, NeedsADecoder) {
  EXPECT_EQ(refusal([] { make_task(request("linear_regression", ModelKind::kEncoder)); }),
            "task.name = \"linear_regression\" needs a decoder: any other model would see the "
            "answers among the inputs; write model.kind = \"decoder\"");
}

}  // namespace
}  // namespace layerlab::tasks
