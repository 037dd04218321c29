#include "config/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/user_error.h"

namespace layerlab::config {
namespace {

using ::testing::ElementsAre;

std::vector<Axis> read(const std::string& text) {
  const TomlNode root = parse_toml_text("[grid]\n" + text, "demo.toml");
  return read_axes(root.find("grid"));
}

std::string reading(const std::string& text) {
  return refusal([&] { read(text); });
}

std::vector<std::string> texts(const std::vector<TomlNode>& runs) {
  std::vector<std::string> result;
  for (const TomlNode& run : runs) result.push_back(to_toml_value(run));
  return result;
}

TEST(Grid, TurnsTheLastAxisFastest) {
  const auto runs = expand(parse_toml_text("train.lr = 1", ""),
                           read("'train.warmup' = [0, 200]\nseed = [7, 9]\n"));
  EXPECT_THAT(texts(runs), ElementsAre("{ train = { lr = 1, warmup = 0 }, seed = 7 }",
                                       "{ train = { lr = 1, warmup = 0 }, seed = 9 }",
                                       "{ train = { lr = 1, warmup = 200 }, seed = 7 }",
                                       "{ train = { lr = 1, warmup = 200 }, seed = 9 }"));
}

TEST(Grid, WinsOverTheBase) {
  const auto runs = expand(parse_toml_text("seed = 3", ""), read("seed = [1]"));
  EXPECT_THAT(texts(runs), ElementsAre("{ seed = 1 }"));
}

TEST(Grid, TakesUnquotedKeysInTheFilesOrder) {
  const auto axes = read("model.depth = [1]\ntrain.lr = [1.0]\nmodel.width = [8]\n");
  EXPECT_EQ(axes[0].key, "model.depth");
  EXPECT_EQ(axes[1].key, "train.lr");
  EXPECT_EQ(axes[2].key, "model.width");
}

TEST(Grid, ReadsRangesOfIntegers) {
  EXPECT_EQ(to_toml_value(to_tree(read("seed = '3..6'"))), "{ seed = [3, 4, 5, 6] }");
  EXPECT_EQ(to_toml_value(to_tree(read("seed = '3..3'"))), "{ seed = [3] }");
}

TEST(Grid, TakesArraysAsValues) {
  const auto axes = read("'train.betas' = [[0.9, 0.98], [0.9, 0.999]]");
  EXPECT_EQ(axes[0].values.size(), 2u);
}

TEST(Grid, RefusesAxesWithoutValues) {
  EXPECT_EQ(reading("seed = []"),
            "demo.toml:2:8: grid axis seed has no values; write at least one, or remove the axis");
  EXPECT_EQ(reading("seed = '5..1'"),
            "demo.toml:2:8: grid axis seed has no values; write at least one, or remove the axis");
}

TEST(Grid, RefusesAnAxisWrittenInTwoWays) {
  EXPECT_EQ(reading("'train.lr' = [1.0]\ntrain.lr = [2.0]"),
            "demo.toml:3:7: grid axis train.lr is written twice; keep one");
}

TEST(Grid, RefusesATableWithoutAxes) {
  EXPECT_EQ(reading(""),
            "demo.toml:1:2: [grid] has no axes; "
            "write for example \"model.block\" = [\"post_ln\", \"pre_ln\"]");
}

TEST(Grid, RefusesAValueThatIsNoArray) {
  EXPECT_EQ(reading("'train.warmup' = 200"),
            "demo.toml:2:18: grid axis train.warmup must be an array or a range such as \"1..5\", "
            "got 200; write for example \"train.warmup\" = [200]");
  EXPECT_EQ(reading("seed = '1.5'"),
            "demo.toml:2:8: grid axis seed must be an array or a range such as \"1..5\", "
            "got \"1.5\"; write for example \"seed\" = [\"1.5\"]");
}

TEST(Grid, RefusesUnknownKeysWithTheNearest) {
  EXPECT_EQ(reading("'model.blok' = ['pre_ln']"),
            "demo.toml:2:1: unknown key model.blok; did you mean 'model.block'?");
  EXPECT_EQ(reading("lr = [1]"), "demo.toml:2:1: unknown key lr; did you mean 'train.lr'?");
}

TEST(Grid, RefusesWhatIsNoTable) {
  const TomlNode root = parse_toml_text("grid = 3", "demo.toml");
  EXPECT_EQ(refusal([&] { read_axes(root.find("grid")); }),
            "demo.toml:1:8: grid must be a table, got 3; write [grid] and its keys below");
}

TEST(Grid, RefusesTooManyRuns) {
  EXPECT_EQ(reading("seed = '1..100001'"),
            "demo.toml:2:8: the grid has more than 100000 runs; split it into several files");
  EXPECT_EQ(reading("seed = '-9223372036854775808..9223372036854775807'"),
            "demo.toml:2:8: the grid has more than 100000 runs; split it into several files");
  const auto axes = read("seed = '1..1000'\n'train.steps' = '1..101'");
  EXPECT_EQ(refusal([&] { expand(parse_toml_text("", ""), axes); }),
            "demo.toml:3:17: the grid has more than 100000 runs; split it into several files");
}

}  // namespace
}  // namespace layerlab::config
