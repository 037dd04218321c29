#include "config/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/read_run.h"

namespace layerlab::config {
namespace {

TEST(RunConfig, WarnsOfPowersThatDivide) {
  EXPECT_EQ(warnings(read("[block]\nequation = 'x + L^1/4*F(x)'")),
            std::vector<std::string>{"demo.toml:2:18: ^1/ divides, since powers come first; write "
                                     "^(1/…) for a root"});
}

TEST(RunConfig, EveryImpliesItsSchedule) {
  EXPECT_EQ(read("probe.every = 10").probe.schedule, ProbeSchedule::kEvery);
}

TEST(RunConfig, WarnsOfABlockThatTakesAnothersName) {
  const std::string named = "[block]\nname = 'pre_ln'\nequation = ";
  EXPECT_THAT(
      warnings(read(named + "'x + 0.5*F(LN(x))'")),
      testing::ElementsAre("[block] is named pre_ln as one of the catalogue, and is another: "
                           "runs train the one written here"));
  EXPECT_THAT(warnings(read(named + "'x+F(LN(x))'")), testing::IsEmpty());
  EXPECT_THAT(warnings(read("model.finish = ''")), testing::IsEmpty());
}

TEST(RunConfig, RefusesRotaryPositionsInHeadsOfOddWidth) {
  EXPECT_EQ(reading("[model]\npositions = 'rotary'\nwidth = 12\nheads = 4"),
            "demo.toml:2:13: model.positions = \"rotary\" turns pairs, and a head of model.width / "
            "model.heads = 3 values is odd; write for example heads = 4, width = 32");
}

TEST(RunConfig, WarnsWhenTheWarmupOutlastsTheRun) {
  EXPECT_TRUE(warnings(read("train.warmup = 400")).empty());
  EXPECT_EQ(warnings(read("train.warmup = 401")),
            std::vector<std::string>{"train.warmup = 401 is longer than train.steps = 400: "
                                     "the learning rate never reaches train.lr"});
}

TEST(RunConfig, RefusesHeadsThatDoNotDivideWidth) {
  EXPECT_EQ(reading("[model]\nwidth = 30\nheads = 4\n"),
            "demo.toml:3:9: model.heads = 4 must divide model.width = 30; "
            "write for example heads = 4, width = 32");
  EXPECT_EQ(reading("[model]\nwidth = 30\n"),
            "demo.toml:2:9: model.heads = 4 must divide model.width = 30; "
            "write for example heads = 4, width = 32");
}

TEST(RunConfig, RefusesPartsThatDoNotDivideABatch) {
  EXPECT_EQ(reading("train.accumulate = 3"),
            "demo.toml:1:20: train.accumulate = 3 must divide train.batch = 32; "
            "write for example accumulate = 4, batch = 32");
}

TEST(RunConfig, RefusesContradictingProbes) {
  EXPECT_EQ(reading("[probe]\nschedule = 'every'\n"),
            "demo.toml:2:12: probe.schedule = \"every\" needs probe.every; "
            "write for example every = 10");
  EXPECT_EQ(reading("[probe]\nschedule = 'off'\nevery = 10\n"),
            "demo.toml:3:9: probe.every has no meaning with probe.schedule = \"off\"; "
            "remove one of the two");
}

TEST(RunConfig, RefusesSettingsThatTheOptimizerDoesNotHave) {
  EXPECT_EQ(reading("[train]\noptimizer = 'sgd'\nmomentum = 0.5"),
            "demo.toml:3:12: train.momentum has no meaning with train.optimizer = \"sgd\"; "
            "remove one of the two");
  EXPECT_THAT(reading("[train]\noptimizer = 'momentum'\nbetas = [0.9, 0.99]"),
              testing::HasSubstr("train.betas has no meaning"));
  EXPECT_THAT(reading("[train]\noptimizer = 'lion'\neps = 1e-8"),
              testing::HasSubstr("train.eps has no meaning"));
  EXPECT_EQ(reading("[train]\noptimizer = 'momentum'\nmomentum = 0.5"), "");
  EXPECT_EQ(reading("[train]\noptimizer = 'lion'\nbetas = [0.9, 0.99]"), "");
}

TEST(RunConfig, RefusesSettingsThatTheScheduleDoesNotHave) {
  EXPECT_EQ(reading("[train]\nfinal_lr = 0.1"),
            "demo.toml:2:12: train.final_lr has no meaning with train.schedule = \"constant\"; "
            "remove one of the two");
  EXPECT_THAT(reading("[train]\nschedule = 'cosine'\ndecay = 10"),
              testing::HasSubstr("train.decay has no meaning"));
  EXPECT_THAT(reading("[train]\nschedule = 'noam'\nwarmup = 9\nwarmup_shape = 'exponential'"),
              testing::HasSubstr("train.warmup_shape has no meaning"));
  EXPECT_EQ(reading("[train]\nschedule = 'linear'\nfinal_lr = 0.1"), "");
}

TEST(RunConfig, WantsADecayOfWsdThatFits) {
  EXPECT_EQ(reading("train.schedule = 'wsd'"),
            "demo.toml:1:18: train.schedule = \"wsd\" needs train.decay; "
            "write for example decay = 100");
  EXPECT_EQ(reading("[train]\nschedule = 'wsd'\nwarmup = 200\ndecay = 201"),
            "demo.toml:4:9: train.warmup = 200 and train.decay = 201 are more than "
            "train.steps = 400; decay over fewer steps");
  EXPECT_EQ(reading("[train]\nschedule = 'wsd'\nwarmup = 200\ndecay = 200"), "");
}

TEST(RunConfig, RefusesAnalysesOfWhatIsNotThere) {
  EXPECT_EQ(reading("[probe]\nanalyses = ['sharpnes']\n"),
            "demo.toml:2:12: probe.analyses must be a list: one of \"amplification\", "
            "\"sharpness\", \"adam_sharpness\", \"jacobian_sv\", \"dependency\", got "
            "[\"sharpnes\"]; did you mean 'sharpness'?");
  EXPECT_EQ(reading("[train]\noptimizer = 'sgd'\n[probe]\nanalyses = ['adam_sharpness']\n"),
            "demo.toml:4:12: probe.analyses: adam_sharpness needs an optimizer with a second "
            "moment, not \"sgd\"; remove it");
  EXPECT_EQ(reading("[model]\nkind = 'encoder_decoder'\n[probe]\nanalyses = 'jacobian_sv'\n"),
            "demo.toml:4:12: probe.analyses: jacobian_sv is of one stack, and the model is a "
            "pair; remove it");
  EXPECT_EQ(reading("[model]\nblock = 'gpt_j'\n[probe]\nanalyses = 'dependency'\n"),
            "demo.toml:4:12: probe.analyses: dependency needs one stream that each branch adds "
            "to, which block gpt_j has not; remove it");
  EXPECT_EQ(reading("[model]\nblock = 'b2t'\n[probe]\nanalyses = 'dependency'\n"), "");
}

TEST(RunConfig, RefusesKeysThatTheTaskHasNoUseFor) {
  EXPECT_EQ(reading("[task]\nname = 'copy'\noperation = '*'\n"),
            "demo.toml:3:13: task.operation has no meaning with task.name = \"copy\"; remove one "
            "of the two");
}

TEST(RunConfig, RefusesTasksOfTooFewProblems) {
  EXPECT_EQ(reading("[task]\nname = 'copy'\nlength = 1\nsymbols = 2\n"),
            "demo.toml:2:8: task.name = \"copy\" has too few different problems to hold some out; "
            "enlarge task.length or task.symbols");
}

}  // namespace
}  // namespace layerlab::config
