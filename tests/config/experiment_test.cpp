#include "config/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ExperimentFile : public ::testing::Test {
 protected:
  std::string write(const std::string& text, const std::string& name = "demo.toml") {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  Experiment load(const std::string& text, const std::vector<std::string>& overrides = {},
                  int seeds = 0) {
    return load_experiment(write(text), {overrides, seeds});
  }
  // What loading `text` is refused with, without the folder's name.
  std::string loading(const std::string& text, const std::vector<std::string>& overrides = {},
                      int seeds = 0) {
    const std::string file = write(text);
    const std::string line = refusal([&] { load_experiment(file, {overrides, seeds}); });
    const std::string prefix = folder_.path().string() + "/";
    return line.starts_with(prefix) ? line.substr(prefix.size()) : line;
  }

  TemporaryFolder folder_;
};

const std::string kGrid =
    "title = \"Post-LN needs warmup\"\n[train]\nlr = 1e-2\n"
    "[grid]\n\"model.block\" = [\"post_ln\", \"pre_ln\"]\n\"train.warmup\" = [0, 200]\n"
    "seed = \"1..3\"\n";
const std::string kClaim =
    "[[claim]]\nid = \"a\"\nmeasure = \"final('loss')\"\nexpect = \"> 0.9\"\n";

TEST_F(ExperimentFile, IsAGridOfRuns) {
  const Experiment experiment = load(kGrid);
  EXPECT_EQ(experiment.title, "Post-LN needs warmup");
  EXPECT_EQ(experiment.name, "demo");
  EXPECT_THAT(experiment.axes, ElementsAre("model.block", "train.warmup", "seed"));
  ASSERT_EQ(experiment.cells.size(), 12u);
  const RunConfig& last = experiment.cells.back().config;
  EXPECT_EQ(last.model.block, "pre_ln");
  EXPECT_EQ(last.train.warmup, 200);
  EXPECT_EQ(last.train.lr, 1e-2);
  EXPECT_EQ(last.seed, 3u);
  EXPECT_EQ(experiment.cells[1].config.seed, 2u);
}

TEST(Experiment, WithoutAFileIsOneRunOfTheDefaults) {
  const Experiment experiment =
      load_experiment("", {.settings = {"train.lr=1e-2", "model.block=post_ln"}});
  EXPECT_THAT(experiment.name, ::testing::StartsWith("run-"));
  ASSERT_EQ(experiment.cells.size(), 1u);
  EXPECT_EQ(experiment.cells[0].config.train.lr, 1e-2);
  EXPECT_EQ(experiment.cells[0].config.block.equation.text, "LN(x + F(x))");
}

TEST(Experiment, CanBeAGridWithoutAFile) {
  EXPECT_EQ(
      load_experiment("", {.settings = {"grid.model.depth=[2, 4]", "grid.seed=1..3"}}).cells.size(),
      6u);
}

TEST_F(ExperimentFile, MergesEqualRuns) {
  EXPECT_EQ(load("[grid]\n'train.lr' = [1, 1.0, 2]\nseed = [1, 1]\n").cells.size(), 2u);
}

const std::string kOwn =
    "[block]\nname = 'mine'\nequation = 'a*x + F(g*x)'\nconst = { a = '2*L' }\n"
    "param = { g = { shape = 'vector', init = 1 } }\nfinish = 'LN(x)'\n";

TEST_F(ExperimentFile, VariesConstantsOfItsOwnBlock) {
  const Experiment experiment = load(kOwn + "[grid]\n'block.const.a' = [1, '3*L', 0.5]\n" + kClaim +
                                     "where = { 'block.const.a' = 1 }\n");
  ASSERT_EQ(experiment.cells.size(), 3u);
  EXPECT_EQ(experiment.cells[1].config.block.constants[0].value.text, "3*L");
  EXPECT_TRUE(selects(experiment.claims[0].where, experiment.cells[0])) << "1 is 1.0";
  EXPECT_FALSE(selects(experiment.claims[0].where, experiment.cells[1]));
}

TEST_F(ExperimentFile, VariesInitialWeightsOfOneSublayer) {
  const Experiment experiment =
      load("[block]\nname = 'mine'\nequation = 'x + F(x)'\n[grid]\n'block.gain.attn.v' = [1, 2]\n" +
           kClaim + "where = { 'block.gain.attn.v' = 2 }\n");
  ASSERT_EQ(experiment.cells.size(), 2u);
  EXPECT_EQ(experiment.cells[1].config.block.gain[0].name, "attn.v");
  EXPECT_TRUE(selects(experiment.claims[0].where, experiment.cells[1]));
  EXPECT_FALSE(selects(experiment.claims[0].where, experiment.cells[0]));
}

TEST_F(ExperimentFile, VariesWhatFollowsTheLastBlock) {
  const Experiment experiment = load(
      "[grid]\n'model.block' = ['post_ln', 'pre_ln']\n"
      "'model.finish' = ['', 'LN(x)']\n" +
      kClaim + "where = { 'model.finish' = '' }\n");
  ASSERT_EQ(experiment.cells.size(), 4u);
  EXPECT_EQ(experiment.cells[2].config.block.finish.text, "");
  EXPECT_EQ(experiment.cells[3].config.block.finish.text, "LN(x)");
  EXPECT_TRUE(selects(experiment.claims[0].where, experiment.cells[2]));
}

TEST_F(ExperimentFile, ResolvedTextSaysAllOfABlock) {
  for (const std::string& text :
       {kOwn, kOwn + "[grid]\n'block.const.a' = [1, 2]\n", kOwn + "[model]\nfinish = ''\n",
        std::string("[block]\nlayers = [{ block = 'post_ln', count = 2 }, { block = 'pre_ln' }]\n"),
        std::string("[model]\nfinish = ''\n[grid]\n'model.block' = ['mix_ln', 'deepnorm']\n")}) {
    const Experiment first = load(text), again = load(first.resolved_text);
    EXPECT_EQ(again.resolved_text, first.resolved_text);
    ASSERT_EQ(again.cells.size(), first.cells.size());
    for (std::size_t i = 0; i < first.cells.size(); ++i) {
      EXPECT_EQ(again.cells[i].id, first.cells[i].id) << text;
    }
  }
}

TEST_F(ExperimentFile, LosesAnAxisToAnOverride) {
  const Experiment experiment = load(kGrid, {"train.warmup=50"});
  EXPECT_THAT(experiment.axes, ElementsAre("model.block", "seed"));
  EXPECT_EQ(experiment.cells.size(), 6u);
  EXPECT_EQ(experiment.cells[0].config.train.warmup, 50);
}

TEST_F(ExperimentFile, ChangesAnAxisByAnOverride) {
  const Experiment experiment = load(kGrid, {"grid.train.warmup=[7]"});
  EXPECT_THAT(experiment.axes, ElementsAre("model.block", "train.warmup", "seed"));
  EXPECT_EQ(experiment.cells[0].config.train.warmup, 7);
}

TEST_F(ExperimentFile, TakesSeedsFromTheCommandLine) {
  EXPECT_EQ(load(kGrid, {}, 5).cells.size(), 20u);
  EXPECT_EQ(load("", {}, 2).cells.size(), 2u);
}

TEST_F(ExperimentFile, StandsForItsFolder) {
  write(kGrid);
  const Experiment experiment = load_experiment(folder_.path().string(), {});
  EXPECT_EQ(experiment.name, "demo");
}

TEST_F(ExperimentFile, SelectsRunsByTheirSettings) {
  const Experiment experiment = load(kGrid);
  const auto count = [&](const Selection& selection) {
    return std::ranges::count_if(experiment.cells,
                                 [&](const Cell& cell) { return selects(selection, cell); });
  };
  EXPECT_EQ(count({}), 12);
  EXPECT_EQ(count({{"model.block", {parse_toml_value("pre_ln", {})}}}), 6);
  EXPECT_EQ(count({{"model.block", {parse_toml_value("pre_ln", {})}},
                   {"train.warmup", {parse_toml_value("200.0", {})}}}),
            3);
  EXPECT_EQ(count({{"train.steps", {parse_toml_value("400", {})}}}), 12);  // a default
  EXPECT_EQ(count({{"train.steps", {parse_toml_value("401", {})}}}), 0);
  EXPECT_EQ(count({{"seed", {parse_toml_value("1", {}), parse_toml_value("3", {})}}}), 8);
}

TEST_F(ExperimentFile, ResolvesToAFileThatSaysTheSame) {
  const Experiment experiment =
      load(kGrid + kClaim + "where = { \"model.block\" = \"post_ln\" }\n", {"train.steps=7"}, 2);
  std::filesystem::create_directories(folder_ / "results");
  const std::string file = write(experiment.resolved_text, "results/experiment.toml");
  const Experiment again = load_experiment(file, {});
  EXPECT_EQ(again.name, "results");
  EXPECT_EQ(again.title, experiment.title);
  EXPECT_EQ(again.axes, experiment.axes);
  EXPECT_EQ(again.resolved_text, experiment.resolved_text);
  ASSERT_EQ(again.cells.size(), experiment.cells.size());
  for (std::size_t i = 0; i < again.cells.size(); ++i) {
    EXPECT_EQ(again.cells[i].id, experiment.cells[i].id);
  }
  EXPECT_EQ(again.claims.size(), 1u);
}

TEST_F(ExperimentFile, ResolvesAnAxisThatDecidesAnotherKey) {
  const Experiment experiment = load("[grid]\n'probe.every' = [0, 10]\n");
  const Experiment again = load_experiment(write(experiment.resolved_text, "again.toml"), {});
  ASSERT_EQ(again.cells.size(), 2u);
  EXPECT_EQ(again.cells[0].id, experiment.cells[0].id);
  EXPECT_EQ(again.cells[1].id, experiment.cells[1].id);
}

TEST_F(ExperimentFile, ComparesItsOwnBlockWithTheCatalogues) {
  const Experiment experiment = load(
      "[block]\nname = 'mine'\nequation = 'x + F(x)'\n[grid]\n'model.block' = ['mine', "
      "'pre_ln']\n");
  ASSERT_EQ(experiment.cells.size(), 2u);
  EXPECT_EQ(experiment.cells[0].config.block.equation.text, "x + F(x)");
  EXPECT_EQ(experiment.cells[1].config.block.equation.text, "x + F(LN(x))");
  const Experiment again = load_experiment(write(experiment.resolved_text, "again.toml"), {});
  EXPECT_EQ(again.cells[0].id, experiment.cells[0].id);
  EXPECT_EQ(again.cells[1].id, experiment.cells[1].id);
}

TEST_F(ExperimentFile, CanTurnItsOwnEquation) {
  const Experiment experiment = load("[grid]\n'block.equation' = ['x + F(x)', 'F(x)']\n");
  EXPECT_EQ(experiment.cells[1].config.model.block, "custom");
  EXPECT_EQ(experiment.cells[1].config.block.equation.text, "F(x)");
}

TEST_F(ExperimentFile, WarnsOnceOfWhatItsRunsWarnOf) {
  EXPECT_THAT(load("train.warmup = 500\n[grid]\nseed = '1..3'\n").warnings,
              ElementsAre("train.warmup = 500 is longer than train.steps = 400: "
                          "the learning rate never reaches train.lr"));
}

TEST_F(ExperimentFile, LeavesOutClaimsThatOverridesTakeTheRunsFrom) {
  const Experiment experiment =
      load(kGrid + kClaim + "where = { \"train.warmup\" = 0 }\n", {"train.warmup=200"});
  EXPECT_TRUE(experiment.claims.empty());
  EXPECT_EQ(experiment.resolved_text.find("[[claim]]"), std::string::npos);
}

TEST_F(ExperimentFile, RefusesMistakesInClaimsBesideOverridesToo) {
  EXPECT_THAT(loading(kGrid + kClaim + "where = { \"train.warmup\" = 'no' }\n", {"train.warmup=2"}),
              HasSubstr("12:28: train.warmup must be an integer"));
  EXPECT_THAT(loading(kGrid + kClaim + "where = { \"model.norm\" = 'rms' }\n", {"train.steps=2"}),
              HasSubstr("12:26: model.norm must be one of"));
}

TEST_F(ExperimentFile, RefusesASelectionByAKeyThatNoRunHas) {
  EXPECT_THAT(loading(kGrid + kClaim + "where = { \"block.const.a\" = 1 }\n"),
              HasSubstr("no run has block.const.a = 1"));
}

TEST_F(ExperimentFile, RefusesClaimsThatSelectNoRun) {
  EXPECT_EQ(loading(kGrid + kClaim + "where = { \"train.warmup\" = 100 }\n"),
            "demo.toml:12:28: claim a: no run has train.warmup = 100; the runs have 0, 200");
  EXPECT_EQ(loading(kGrid + kClaim + "where = { \"model.block\" = \"post_nl\" }\n"),
            "demo.toml:12:27: claim a: no run has model.block = \"post_nl\"; "
            "the runs have \"post_ln\", \"pre_ln\"");
  EXPECT_EQ(loading("[grid]\n'model.block' = ['pre_ln']\n" + kClaim +
                    "kind = 'ratio'\nversus = { \"model.block\" = \"post_ln\" }\n"),
            "demo.toml:8:28: claim a: no run has model.block = \"post_ln\"; "
            "the runs have \"pre_ln\"");
  EXPECT_EQ(loading("[grid]\n'probe.every' = [0, 10]\n" + kClaim +
                    "where = { probe.every = 10, probe.schedule = 'log' }\n"),
            "demo.toml:7:25: claim a: no run has all of these settings together; "
            "drop one of them, or extend [grid]");
}

TEST_F(ExperimentFile, RefusesASelectionOfWhichOneValueSelectsNoRun) {
  EXPECT_EQ(loading(kGrid + kClaim + "where = { seed = '2..4' }\n"),
            "demo.toml:12:18: claim a: no run has seed = 4; the runs have 1, 2, 3");
  EXPECT_EQ(loading("[grid]\n'probe.every' = [0, 10, 20]\n" + kClaim +
                    "where = { probe.every = [0, 20], probe.schedule = 'log' }\n"),
            "demo.toml:7:29: claim a: no run has all of these settings together; "
            "drop one of them, or extend [grid]");
}

const std::string kSearch =
    "[search]\nkey = 'train.lr'\nvalues = [1e-3, 2e-3]\npasses = \"final('loss') < 1\"\n";

TEST_F(ExperimentFile, SearchesInEachCombinationOfItsAxes) {
  const Experiment experiment = load(kGrid + kSearch);
  EXPECT_THAT(experiment.axes, ElementsAre("model.block", "train.warmup", "seed", "train.lr"));
  ASSERT_EQ(experiment.cells.size(), 12u);
  for (const Cell& cell : experiment.cells) EXPECT_EQ(cell.config.train.lr, 1e-3);
  const Cell run = at_candidate(experiment.cells[4], *experiment.search, 1);
  EXPECT_EQ(run.config.train.lr, 2e-3);
  EXPECT_EQ(run.config.train.warmup, 200);
  EXPECT_EQ(
      run.id,
      load("seed = 2\n[train]\nlr = 2e-3\nwarmup = 200\n[model]\nblock = 'post_ln'\n").cells[0].id)
      << "a run like any other";
}

TEST_F(ExperimentFile, ResolvesToOneThatSearchesToo) {
  const std::string constant =
      kOwn + "[search]\nkey = 'block.const.a'\nvalues = [1, 2]\npasses = '1'\n";
  for (const std::string& text : {kGrid + kSearch + kClaim, constant}) {
    const Experiment first = load(text), again = load(first.resolved_text);
    EXPECT_EQ(again.resolved_text, first.resolved_text);
    ASSERT_TRUE(again.search);
    EXPECT_EQ(again.search->passes, first.search->passes);
    for (std::size_t i = 0; i < first.cells.size(); ++i) {
      EXPECT_EQ(at_candidate(again.cells[i], *again.search, 1).id,
                at_candidate(first.cells[i], *first.search, 1).id);
    }
  }
}

TEST_F(ExperimentFile, RefusesToSetWhatItSearches) {
  const std::string told =
      "train.lr is what [search] looks for; leave it out here, or remove [search]";
  EXPECT_EQ(loading("[grid]\n'train.lr' = [1, 2]\n" + kSearch), "demo.toml:2:15: " + told);
  EXPECT_EQ(loading(kSearch, {"train.lr=1"}), "command line: " + told);
  EXPECT_EQ(loading(kSearch, {"grid.train.lr=[1]"}), "command line: " + told);
  EXPECT_EQ(loading(kSearch + kClaim + "where = { train.lr = 1e-3 }\n"), "demo.toml:9:22: " + told);
  EXPECT_EQ(loading(kSearch + kClaim + "kind = 'slope'\nalong = 'train.lr'\n"),
            "demo.toml:10:10: " + told);
}

TEST_F(ExperimentFile, RefusesACandidateThatIsNoRun) {
  EXPECT_EQ(
      loading("[search]\nkey = 'model.heads'\nvalues = [1, 2, 5]\npasses = '1'\n"),
      "demo.toml:3:17: model.heads = 5 must divide model.width = 32; write for example heads = "
      "4, width = 32");
}

TEST_F(ExperimentFile, RefusesAnOwnBlockThatNoRunUses) {
  EXPECT_EQ(loading("[block]\nname = 'mine'\nequation = 'F(x)'\n"
                    "[grid]\n'model.block' = ['post_ln', 'pre_ln']\n"),
            "demo.toml:1:2: [block] is named \"mine\", but no run uses it; "
            "write model.block = \"mine\"");
}

TEST_F(ExperimentFile, RefusesUnknownTopLevelKeys) {
  EXPECT_EQ(loading("[gird]\nseed = [1]\n"),
            "demo.toml:1:2: unknown key gird; did you mean 'grid'?");
  EXPECT_EQ(loading("warmup = 3\n"),
            "demo.toml:1:1: unknown key warmup; did you mean 'train.warmup'?");
}

TEST_F(ExperimentFile, RefusesATitleThatIsNoString) {
  EXPECT_EQ(loading("title = 3\n"),
            "demo.toml:1:9: title must be a string, got 3; write for example title = \"demo\"");
}

TEST_F(ExperimentFile, RefusesWrongValuesOfTheGridWhereTheyStand) {
  EXPECT_EQ(loading("[grid]\n'train.warmup' = [0, 'long']\n"),
            "demo.toml:2:22: train.warmup must be an integer from 0 to 1000000000, got \"long\"; "
            "write for example warmup = 0");
  EXPECT_EQ(loading("[grid]\n'model.block' = ['pre_nl']\n"),
            "demo.toml:2:18: expected a block's name, got 'pre_nl'; did you mean 'pre_ln'?");
}

TEST_F(ExperimentFile, RefusesOverridesOfUnknownKeys) {
  EXPECT_EQ(loading("", {"lr=1e-2"}), "command line: unknown key lr; did you mean 'train.lr'?");
  EXPECT_EQ(loading("", {"train.lrr=1e-2"}),
            "command line: unknown key train.lrr; did you mean 'train.lr'?");
  EXPECT_EQ(loading("", {"title=x"}),
            "command line: unknown key title; docs/configuration.md lists all keys");
  EXPECT_EQ(loading("", {"grid.lr=[1]"}), "command line: unknown key lr; did you mean 'train.lr'?");
}

TEST_F(ExperimentFile, RefusesOverridesWithoutAKey) {
  EXPECT_EQ(loading("", {"=3"}),
            "command line: expected key=value, got =3; write for example train.lr=1e-2");
}

TEST_F(ExperimentFile, RefusesOverridesOfTheWrongType) {
  EXPECT_EQ(loading("", {"model.depth=deep"}),
            "command line: model.depth must be an integer from 1 to 1024, got \"deep\"; "
            "write for example depth = 6");
}

TEST_F(ExperimentFile, RefusesSeedsTwice) {
  EXPECT_EQ(loading("", {"seed=3"}, 5),
            "command line: seed is set twice, by --seeds and by seed=3; keep one of them");
}

TEST_F(ExperimentFile, RefusesAKeyThatTheCommandLineSetsTwice) {
  EXPECT_EQ(loading("", {"train.lr=1", "train.clip=1", "train.lr=2"}),
            "command line: train.lr is set twice, by train.lr=1 and by train.lr=2; "
            "keep one of them");
  EXPECT_THAT(loading("", {"train.lr=1", "grid.train.lr=[1, 2]"}), HasSubstr("set twice"));
  EXPECT_THAT(loading("", {"grid.seed=[1, 2]"}, 5), HasSubstr("set twice"));
  const Experiment experiment =
      load_experiment("", {.settings = {"train.lr=1"}, .command_settings = {"train.lr=2"}});
  EXPECT_EQ(experiment.cells[0].config.train.lr, 2);
}

TEST_F(ExperimentFile, CannotHaveANameThatLeadsOutOfItsFolder) {
  for (const char* const name :
       {"..toml", "...toml", "cells.toml", "replaced.toml", "a\x1b[31m.toml"}) {
    const std::string file = write("", name);
    EXPECT_THAT([&] { load_experiment(file); }, throws_user_error("cannot name")) << name;
  }
}

TEST_F(ExperimentFile, RefusesAFolderWithoutOneFile) {
  const std::string folder = folder_.path().string();
  EXPECT_EQ(refusal([&] { load_experiment(folder, {}); }),
            folder + ": holds no TOML file; name an experiment's file");
  write("", "b.toml");
  write("", "a.toml");
  EXPECT_EQ(refusal([&] { load_experiment(folder, {}); }),
            folder + ": holds several TOML files, a.toml and b.toml; name one of them");
}

}  // namespace
}  // namespace layerlab::config
