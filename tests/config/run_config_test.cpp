#include "config/run_config.h"

#include <gtest/gtest.h>

#include "config/keys.h"
#include "tests/config/read_run.h"

namespace layerlab::config {
namespace {

TEST(RunConfig, NothingWrittenMeansTheDefaults) {
  const RunConfig config = read("");
  EXPECT_EQ(config.task.name, "reverse");
  EXPECT_EQ(config.model.block, "pre_ln");
  EXPECT_EQ(config.block.equation.text, "x + F(LN(x))");
  EXPECT_EQ(config.train.steps, 400);
  EXPECT_EQ(config.probe.schedule, ProbeSchedule::kLog);
  EXPECT_EQ(config.seed, 1u);
}

TEST(RunConfig, ReadsWhatIsWritten) {
  const RunConfig config = read(
      "seed = 9007199254740993\n[task]\nname = 'copy'\nlength = 8\n"
      "[model]\nkind = 'decoder'\nactivation = 'gelu_tanh'\npositions = 'none'\n"
      "[train]\noptimizer = 'adamw'\nlr = 1\nbetas = [0, 0.5]\n[probe]\nschedule = 'off'\n");
  EXPECT_EQ(config.seed, 9007199254740993u);  // beyond what a double holds
  EXPECT_EQ(config.task.name, "copy");
  EXPECT_EQ(config.task.length, 8);
  EXPECT_EQ(config.model.kind, ModelKind::kDecoder);
  EXPECT_EQ(config.model.activation, Activation::kGeluTanh);
  EXPECT_EQ(config.model.positions, Positions::kNone);
  EXPECT_EQ(config.train.optimizer, OptimizerKind::kAdamW);
  EXPECT_EQ(config.train.lr, 1.0);
  EXPECT_EQ(config.train.betas, (std::array<double, 2>{0, 0.5}));
  EXPECT_EQ(config.probe.schedule, ProbeSchedule::kOff);
}

TEST(RunConfig, OwnBlockNamesTheModel) {
  const RunConfig config = read("[block]\nname = 'mine'\nequation = 'x + F(x)'\n");
  EXPECT_EQ(config.model.block, "mine");
  EXPECT_EQ(config.block.name, "mine");
  EXPECT_EQ(config.block.equation.text, "x + F(x)");
  EXPECT_EQ(config.block.equation.place.text(), "demo.toml:3:13");
}

TEST(RunConfig, OwnBlockWithoutANameIsCustomOrWhatTheModelSays) {
  EXPECT_EQ(read("[block]\nequation = 'x + F(x)'").model.block, "custom");
  EXPECT_EQ(read("[model]\nblock = 'mine'\n[block]\nequation = 'x + F(x)'").block.name, "mine");
}

TEST(RunConfig, FinishOfTheModelReplacesTheBlocks) {
  EXPECT_EQ(read("model.finish = ''").block.finish.text, "");
  EXPECT_EQ(read("model.block = 'post_ln'\nmodel.finish = 'LN(x)'").block.finish.text, "LN(x)");
  EXPECT_EQ(read("[model]\nfinish = ''\n[block]\nequation = 'x + F(x)'\nfinish = 'LN(x)'")
                .block.finish.text,
            "");
  EXPECT_EQ(read("model.block = 'mix_ln'\nmodel.finish = ''").block.finish.text, "");
}

TEST(RunConfig, PlacesAReplacedFinishWhereItIsWritten) {
  EXPECT_EQ(reading("model.finish = 'LN(y)'"),
            "demo.toml:1:20: expected a known name, got 'y'; declare it under const or "
            "param");
}

TEST(RunConfig, ReadsBooleansStrictly) {
  EXPECT_TRUE(read("model.gated = true").model.gated);
  EXPECT_FALSE(read("model.ff_bias = false").model.ff_bias);
  EXPECT_EQ(reading("model.gated = 1"),
            "demo.toml:1:15: model.gated must be true or false, got 1; write for example gated = "
            "false");
}

TEST(RunConfig, RefusesABlockByAnotherNameThanTheModels) {
  EXPECT_EQ(reading("[model]\nblock = 'pre_ln'\n[block]\nname = 'mine'\nequation = 'F(x)'\n"),
            "demo.toml:2:9: model.block is \"pre_ln\", but [block] is named \"mine\"; "
            "give both the same name");
}

TEST(RunConfig, RefusesToReplaceABlockOfTheCatalogueSilently) {
  EXPECT_EQ(reading("[model]\nblock = 'pre_ln'\n[block]\nequation = 'F(x)'\n"),
            "demo.toml:3:2: [block] would replace pre_ln of the catalogue; "
            "write another model.block");
}

TEST(RunConfig, RefusesToChangeSingleKeysOfABlockOfTheCatalogue) {
  EXPECT_EQ(reading("[model]\nblock = 'deepnorm'\n[block]\nconst = { alpha = 3 }\n"),
            "demo.toml:2:9: [block] cannot change single keys of deepnorm of the catalogue; copy "
            "its lines from models/blocks.toml into [block], with a model.block of your own");
}

TEST(RunConfig, RefusesABrokenEquationWithACaretInTheUsersFile) {
  try {
    read("[block]\nequation = 'x + F(z)'\n");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.place().text(), "demo.toml:2:19");
    EXPECT_EQ(error.excerpt(), "  x + F(z)\n        ^");
  }
}

TEST(RunConfig, RefusesKeysThatStandInTheWrongTable) {
  EXPECT_EQ(reading("lr = 0.1"), "demo.toml:1:1: unknown key lr; did you mean 'train.lr'?");
  EXPECT_EQ(reading("[trian]\nlr = 0.1"),
            "demo.toml:1:2: unknown key trian; did you mean 'train'?");
  EXPECT_EQ(reading("[zzzzzzzz]"),
            "demo.toml:1:2: unknown key zzzzzzzz; docs/configuration.md lists all keys");
  EXPECT_EQ(reading("[train]\nlrr = 0.1"),
            "demo.toml:2:1: unknown key train.lrr; did you mean 'lr'?");
}

TEST(RunConfig, RefusesASectionThatIsNoTable) {
  EXPECT_EQ(reading("model = 'pre_ln'"),
            "demo.toml:1:9: model must be a table, got \"pre_ln\"; "
            "write [model] and its keys below");
}

TEST(RunConfig, RefusesNegativeSeeds) {
  EXPECT_EQ(reading("seed = -1"),
            "demo.toml:1:8: seed must be an integer of at least 0, got -1; "
            "write for example seed = 1");
}

TEST(RunConfig, RefusesUnknownTasksWithTheNearest) {
  EXPECT_THAT(reading("task.name = 'revers'"),
              testing::EndsWith("got \"revers\"; did you mean 'reverse'?"));
}

TEST(RunConfig, RefusesBetasOfOne) {
  EXPECT_EQ(reading("train.betas = [0.9, 1.0]"),
            "demo.toml:1:15: train.betas must be two numbers from 0 to below 1, got [0.9, 1.0]; "
            "write for example betas = [0.9, 0.98]");
}

}  // namespace
}  // namespace layerlab::config
