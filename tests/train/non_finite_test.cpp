#include "train/non_finite.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "config/run_config_toml.h"
#include "core/toml.h"
#include "tests/support/tensors.h"
#include "train/trainer.h"

namespace layerlab::train {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Two replicas of a small model with this block.
Trainer trainer(const std::string& block, const std::string& more = "") {
  const config::RunConfig run = config::read_run_config(
      parse_toml_text("[task]\nlength = 5\n[model]\ndepth = 2\nwidth = 8\nheads = 2\nff = 12\n"
                      "[train]\nbatch = 3\n" +
                          more + "[block]\nname = 'mine'\n" + block,
                      "test"));
  config::RunConfig other = run;
  other.seed = 2;
  return Trainer({run, other}, at::kCPU);
}

void plant(Trainer& trainer, const std::string& name, std::int64_t r, double value) {
  const c10::AutoGradMode no_gradients(false);
  for (const models::Parameters::Slot& slot : trainer.parameters().slots()) {
    if (slot.name == name) slot.value[r].flatten()[3].fill_(value);
  }
}

constexpr const char* kPreLn = "equation = 'x + F(LN(x))'\nfinish = 'LN(x)'\n";
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(NonFinite, NamesAWeightThatTheUpdateLeft) {
  Trainer planted = trainer(kPreLn);
  plant(planted, "blocks.1.ff.down.weight", 1, kInf);
  const auto event = find_non_finite(planted, 1, 17);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->step, 17);
  EXPECT_EQ(event->kind, "non_finite_update");
  EXPECT_EQ(event->detail,
            "optimizer, blocks.1.ff.down.weight: inf, in the weights that step 16 left, at lr "
            "0.003");
  EXPECT_EQ(find_non_finite(planted, 1, 0)->kind, "non_finite_weights");
  EXPECT_FALSE(find_non_finite(planted, 0, 17)) << "the other replica";
}

// The stream grows 1e15 times in each sub-layer: the third does not fit into float32.
TEST(NonFinite, NamesTheFirstPlaceThatOverflows) {
  Trainer overflowing =
      trainer("equation = 'h = c*x; x = h + F(unit(x))'\nconst = { c = '1e15' }\n");
  const auto event = find_non_finite(overflowing, 0, 3);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, "non_finite_activation");
  EXPECT_THAT(
      event->detail,
      AllOf(StartsWith("forward, layer 1, attn, h: inf, the first value that is not "
                       "finite; the place before it, layer 0, ff, sum, is finite, up to ")));
}

// On the way back v's gradient has been multiplied by 1e25 twice; on the way forward v is 0.
TEST(NonFinite, NamesTheFirstGradientOnTheWayBack) {
  Trainer steep = trainer(
      "equation = 'u = tiny*x; v = tiny*u; w = huge*v; x = x + F(LN(x)) + huge*w'\n"
      "const = { tiny = '1e-25', huge = '1e25' }\n");
  const auto event = find_non_finite(steep, 0, 3);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, "non_finite_gradient");
  EXPECT_THAT(event->detail, StartsWith("backward, layer 1, ff, v: "));
}

TEST(NonFinite, NamesTheLossWhenTheHeadOverflows) {
  Trainer planted = trainer(kPreLn);
  plant(planted, "head.weight", 0, 3e38);
  const auto event = find_non_finite(planted, 0, 3);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, "non_finite_activation");
  EXPECT_THAT(event->detail, StartsWith("forward, loss: "));
}

TEST(NonFinite, LeavesTheTrainerAsItIs) {
  Trainer planted = trainer(kPreLn);
  plant(planted, "head.weight", 0, kInf);
  const at::Tensor before = planted.parameters().values().clone();
  find_non_finite(planted, 0, 3);
  EXPECT_THAT(planted.parameters().values(), BitEqual(before));
}

}  // namespace
}  // namespace layerlab::train
