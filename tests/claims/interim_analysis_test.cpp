#include "claims/interim_analysis.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/claims/study.h"

namespace layerlab::claims {
namespace {

using stats::Verdict;
using testing::ElementsAre;

TEST(Stages, ShareTheErrorRate) {
  EXPECT_DOUBLE_EQ(stage_alpha(1), 0.025);
  EXPECT_DOUBLE_EQ(stage_alpha(2), 0.0125);
  double sum = 0;
  for (int number = 1; number <= kStages; ++number) sum += stage_alpha(number);
  EXPECT_LT(sum, kAlpha);
}

TEST(Stages, DoubleTheSeedsOfTheFile) {
  Study study(2);
  for (config::Cell& cell : study.experiment.cells) cell.config.seed *= 10;
  EXPECT_THAT(stage_seeds(study.experiment, 1), ElementsAre(10, 20));
  EXPECT_THAT(stage_seeds(study.experiment, 2), ElementsAre(10, 20, 21, 22));
  EXPECT_EQ(stage_seeds(study.experiment, 4).size(), 16u);
}

// Claims about losses of about 1 (post_ln, close together) and about 0 (pre_ln, far apart).
class AnInterimAnalysis : public testing::Test {
 protected:
  AnInterimAnalysis() {
    study_.add_claim("clear", "post_ln", above(0.5));
    study_.add_claim("unclear", "pre_ln", above(-2));
    for (int seed = 1; seed <= 6; ++seed) {
      study_.finish("post_ln-" + std::to_string(seed), seed < 4 ? 1 + 0.001 * seed : -9);
      study_.finish("pre_ln-" + std::to_string(seed), seed % 3 - 1);
    }
  }
  config::Experiment with_seeds(std::uint64_t last) const {
    config::Experiment part = study_.experiment;
    std::erase_if(part.cells, [&](const config::Cell& cell) { return cell.config.seed > last; });
    return part;
  }
  // After the stage of seeds 1 to 3.
  InterimAnalysis begin() {
    first_ = with_seeds(3);
    InterimAnalysis analysis(
        first_, prepare(first_),
        [this](const std::vector<std::uint64_t>& seeds) {
          return with_seeds(std::ranges::max(seeds));
        },
        study_.results());
    analysis.analyse();
    return analysis;
  }

  Study study_{6};
  config::Experiment first_;
};

TEST_F(AnInterimAnalysis, LeavesDecidedClaimsAsTheyAre) {
  InterimAnalysis analysis = begin();
  EXPECT_EQ(analysis.results()[0].verdict, Verdict::kConfirmed);
  EXPECT_DOUBLE_EQ(analysis.results()[0].level, 1 - 0.025 / 2);
  EXPECT_TRUE(is_open(analysis.results()[1]));

  ASSERT_TRUE(analysis.next());
  analysis.analyse();
  const std::vector<ClaimResult>& second = analysis.results();
  EXPECT_EQ(second[0].verdict, Verdict::kConfirmed);  // though later seeds say otherwise
  EXPECT_EQ(second[0].where.size(), 3u);
  EXPECT_EQ(second[1].verdict, Verdict::kConfirmed);
  EXPECT_EQ(second[1].where.size(), 6u);
  EXPECT_DOUBLE_EQ(second[1].level, 1 - 0.0125);  // the other claim counts as passed
  EXPECT_FALSE(analysis.next());
}

TEST_F(AnInterimAnalysis, AddsRunsToOpenClaimsOnly) {
  const std::optional<config::Experiment> more = begin().next();
  ASSERT_TRUE(more);
  EXPECT_EQ(more->cells.size(), 6u);
  for (const config::Cell& run : more->cells) EXPECT_TRUE(run.id.starts_with("pre_ln"));
}

TEST_F(AnInterimAnalysis, EndsWhereOpenClaimsNameTheirSeeds) {
  study_.experiment.claims[1].where.push_back({"seed", {toml("1"), toml("2"), toml("3")}});
  InterimAnalysis analysis = begin();
  EXPECT_EQ(analysis.open(), 1);
  EXPECT_FALSE(analysis.next());
}

TEST_F(AnInterimAnalysis, LeavesAClaimThatShouldBeUndecided) {
  study_.experiment.claims[1].outcome = "inconclusive";
  EXPECT_EQ(begin().open(), 0);
}

TEST(AnOpenClaim, HasNoUseForSeedsWhereARunGaveNoNumber) {
  Study study(2);
  study.add_claim("stalls", "post_ln", above(0));
  study.finish("post_ln-1", 1);
  EXPECT_FALSE(is_open(study.evaluate()[0]));
}

}  // namespace
}  // namespace layerlab::claims
