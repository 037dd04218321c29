#include "config/overrides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/experiment.h"
#include "core/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::config {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kStudy = R"toml([train]
steps = 400
[grid]
"model.depth" = [6, 12, 24]
seed = "1..5"
[[claim]]
id = "a"
where = { "model.depth" = 6, seed = 2 }
measure = "final('loss')"
expect = "> 0"
)toml";
const std::string kQuick = "[quick]\ntrain.steps = 50\n'model.width' = 16\n[quick.grid]\n";

class VariedFile : public ::testing::Test {
 protected:
  Experiment load(const std::string& text, const Overrides& overrides = {}) {
    write_file_atomically(folder_ / "study.toml", text);
    return load_experiment((folder_ / "study.toml").string(), overrides);
  }
  // What it is refused with, without the folder's name.
  std::string loading(const std::string& text, const Overrides& overrides = {}) {
    return refusal([&] { load(text, overrides); }).substr(folder_.path().string().size() + 1);
  }
  static std::vector<std::uint64_t> seeds(const Experiment& experiment) {
    std::vector<std::uint64_t> result;
    for (const Cell& cell : experiment.cells) result.push_back(cell.config.seed);
    return result;
  }

  TemporaryFolder folder_;
};

TEST_F(VariedFile, HasAQuickSizeBesidesTheFullOne) {
  const std::string text = kStudy + kQuick + "'model.depth' = [2, 6]\nseed = '1..2'\n";
  const Experiment full = load(text), quick = load(text, {.quick = true});
  EXPECT_EQ(full.name, "study");
  EXPECT_EQ(full.cells.size(), 15u);
  EXPECT_EQ(full.cells[0].config.train.steps, 400);
  EXPECT_EQ(quick.name, "study-quick");
  EXPECT_THAT(quick.axes, ElementsAre("model.depth", "seed"));
  ASSERT_EQ(quick.cells.size(), 4u);
  EXPECT_EQ(quick.cells[0].config.model.depth, 2);
  EXPECT_EQ(quick.cells[0].config.train.steps, 50);
  EXPECT_EQ(quick.cells[0].config.model.width, 16);
  EXPECT_EQ(quick.claims.size(), 1u);
}

TEST_F(VariedFile, EndsAnAxisByAQuickSetting) {
  EXPECT_THAT(load(kStudy + "[quick]\nmodel.depth = 6\n", {.quick = true}).axes,
              ElementsAre("seed"));
}

TEST_F(VariedFile, IsTheSameInBothSizesWithoutAQuickTable) {
  const Experiment full = load(kStudy), quick = load(kStudy, {.quick = true});
  EXPECT_EQ(quick.name, "study");
  EXPECT_EQ(quick.resolved_text, full.resolved_text);
}

TEST_F(VariedFile, LetsOverridesReplaceWhatQuickSays) {
  const Experiment experiment =
      load(kStudy + kQuick, {.settings = {"train.steps=7"}, .quick = true});
  EXPECT_EQ(experiment.cells[0].config.train.steps, 7);
  EXPECT_EQ(experiment.cells[0].config.model.width, 16);
}

TEST_F(VariedFile, ResolvesToTheSizeThatWasAskedFor) {
  const std::string text = load(kStudy + kQuick, {.quick = true}).resolved_text;
  EXPECT_THAT(text, Not(HasSubstr("quick")));
  EXPECT_THAT(text, HasSubstr("steps = 50\n"));
  EXPECT_EQ(load(text).resolved_text, text);
}

TEST_F(VariedFile, RefusesClaimsWithoutRunsInEitherSize) {
  const std::string text = kStudy + "[quick.grid]\n'model.depth' = [2, 4]\n";
  const std::string line =
      "study.toml:8:27: claim a: no quick run has model.depth = 6; the quick runs have 2, 4";
  EXPECT_EQ(loading(text), line);
  EXPECT_EQ(loading(text, {.quick = true}), line);
  const std::string other = "model.depth = 12\n" + kStudy.substr(kStudy.find("[[claim]]")) +
                            "[quick]\nmodel.depth = 6\nseed = 2\n";
  EXPECT_EQ(loading(other, {.quick = true}),
            "study.toml:4:27: claim a: no run has model.depth = 6; the runs have 12");
}

TEST_F(VariedFile, RefusesWrongQuickKeysWhereTheyStand) {
  EXPECT_EQ(loading("[quick]\ntrain.step = 50\n"),
            "study.toml:2:7: unknown key train.step; did you mean 'train.steps'?");
  EXPECT_EQ(loading("[quick.grid]\ndepth = [2]\n"),
            "study.toml:2:1: unknown key depth; did you mean 'model.depth'?");
  EXPECT_EQ(loading("[quick]\ntrain.steps = 'few'\n"),
            "study.toml:2:15: train.steps must be an integer from 1 to 1000000000, got \"few\"; "
            "write for example steps = 400");
  EXPECT_EQ(loading("quick = 3\n"),
            "study.toml:1:9: quick must be a table, got 3; write [quick] and its keys below");
}

TEST_F(VariedFile, AsksTheSameOfOtherSeeds) {
  const Experiment experiment =
      load(kStudy + "versus = { seed = 3 }\nkind = 'ratio'\n", {.seeds = 3, .seed_offset = 100});
  EXPECT_THAT(experiment.name, ::testing::StartsWith("study-seeds+100-"));
  EXPECT_THAT(seeds(experiment), ElementsAre(101, 102, 103, 101, 102, 103, 101, 102, 103));
  ASSERT_EQ(experiment.claims.size(), 1u);
  EXPECT_EQ(to_toml_value(experiment.claims[0].where[1].values.front()), "102");
  EXPECT_EQ(to_toml_value(experiment.claims[0].versus[0].values.front()), "103");
  EXPECT_EQ(load(experiment.resolved_text).cells[0].id, experiment.cells[0].id);
}

TEST_F(VariedFile, ShiftsTheSeedsOfBothSizes) {
  const std::string text = kStudy + "[quick.grid]\nseed = [2]\n";
  EXPECT_THAT(seeds(load(text, {.quick = true, .seed_offset = 10})), ElementsAre(12, 12, 12));
  EXPECT_EQ(load(text, {.seed_offset = 10}).cells.size(), 15u);
  const Experiment both = load(text, {.quick = true, .seed_offset = 10});
  EXPECT_EQ(both.name, "study-quick-seeds+10");
  EXPECT_EQ(both.study, "study");
}

TEST_F(VariedFile, RefusesAnOffsetThatIsTooLargeForASeed) {
  EXPECT_THAT(loading("seed = 9223372036854775807\n", {.seed_offset = 1}),
              AllOf(HasSubstr("study.toml:1:8: "), HasSubstr("9223372036854775807"),
                    HasSubstr("offset 1")));
  EXPECT_THAT(seeds(load("seed = 9223372036854775806\n", {.seed_offset = 1})),
              ElementsAre(9223372036854775807u));
}

TEST_F(VariedFile, ShiftsASeedThatIsNoAxis) {
  EXPECT_THAT(seeds(load("seed = 5\n", {.seed_offset = 10})), ElementsAre(15));
  EXPECT_THAT(seeds(load("", {.seed_offset = 10})), ElementsAre(11));
}

const std::string kSearch =
    "[search]\nkey = 'train.lr'\nvalues = [1e-3, 2e-3]\npasses = \"final('loss') < 1\"\n";

TEST_F(VariedFile, SearchesOnAnotherLadderInItsQuickSize) {
  const std::string text = kSearch + "[quick.search]\nvalues = [1e-2, 2e-2, 4e-2]\npasses = '1'\n";
  EXPECT_EQ(load(text).search->values.size(), 2u);
  const Experiment quick = load(text, {.quick = true});
  EXPECT_EQ(quick.name, "study-quick");
  EXPECT_EQ(quick.search->values.size(), 3u);
  EXPECT_EQ(quick.search->passes, "1");
  EXPECT_EQ(quick.search->passes_place.line, 7);
  ASSERT_EQ(quick.cells.size(), 1u);
  EXPECT_EQ(quick.cells[0].config.train.lr, 1e-2);
  EXPECT_EQ(load(quick.resolved_text).resolved_text, quick.resolved_text);
}

TEST_F(VariedFile, SearchesOnAnotherLadderThatOverridesSet) {
  const Experiment experiment =
      load(kSearch, {.settings = {"search.values=[1, 2, 3]", "search.passes='0'"}});
  EXPECT_EQ(experiment.search->values.size(), 3u);
  EXPECT_EQ(refusal([&] { load(kSearch, {.settings = {"search.values=[2, 1]"}}); }),
            "command line: search.values must be two or more numbers in ascending order; write for "
            "example values = [1e-3, 2e-3, 4e-3, 8e-3]");
}

TEST_F(VariedFile, RefusesToSetWhatIsSearched) {
  const std::string told =
      "train.lr is what [search] looks for; leave it out here, or remove [search]";
  EXPECT_EQ(loading(kSearch + "[quick]\ntrain.lr = 1\n"), "study.toml:6:7: " + told);
  EXPECT_EQ(loading(kSearch + "[quick.grid]\n'train.lr' = [1, 2]\n"), "study.toml:6:1: " + told);
  EXPECT_EQ(loading(kSearch + "[quick.search]\nkey = 'model.depth'\n"),
            "study.toml:6:1: [search] looks for the largest train.lr only; search for another "
            "setting in a file of its own");
}

TEST_F(VariedFile, RefusesACandidateThatIsNoRunInEitherSize) {
  const std::string heads = "[search]\nkey = 'model.heads'\nvalues = [1, 2]\npasses = '1'\n";
  EXPECT_EQ(
      loading(heads + "[quick.search]\nvalues = [1, 5]\n"),
      "study.toml:6:14: model.heads = 5 must divide model.width = 32; write for example heads "
      "= 4, width = 32");
}

TEST_F(VariedFile, ShiftsTheSeedsThatItSearchesWith) {
  const Experiment experiment = load(kStudy + kSearch, {.seed_offset = 10});
  EXPECT_EQ(experiment.name, "study-seeds+10");
  EXPECT_EQ(experiment.cells[0].config.seed, 11u);
  EXPECT_EQ(at_candidate(experiment.cells[0], *experiment.search, 1).config.seed, 11u);
}

TEST(SeedOffset, IsAddedToAllSeedsThatClaimsSelect) {
  TomlNode claims = parse_toml_value(
      "[{ where = { seed = '1..3', model.depth = 6 }, versus = { seed = [4, 5] } }, { id = 'a' }]",
      {});
  shift_seeds(claims, 10);
  EXPECT_EQ(to_toml_value(claims),
            "[{ where = { seed = [11, 12, 13], model = { depth = 6 } }, "
            "versus = { seed = [14, 15] } }, { id = \"a\" }]");
}

}  // namespace
}  // namespace layerlab::config
