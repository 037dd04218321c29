#include "claims/settle.h"

#include <gmock/gmock.h>

#include "tests/claims/study.h"

namespace layerlab::claims {
namespace {

using stats::Verdict;
using testing::ElementsAre;

TEST(Looks, ShareTheErrorRate) {
  EXPECT_DOUBLE_EQ(look_alpha(1), 0.025);
  EXPECT_DOUBLE_EQ(look_alpha(2), 0.0125);
  double sum = 0;
  for (int number = 1; number <= kMostLooks; ++number) sum += look_alpha(number);
  EXPECT_LT(sum, kAlpha);
}

TEST(Looks, DoubleTheSeedsOfTheFile) {
  Study study(2);
  for (config::Cell& cell : study.experiment.cells) cell.config.seed *= 10;
  EXPECT_THAT(look_seeds(study.experiment, 1), ElementsAre(10, 20));
  EXPECT_THAT(look_seeds(study.experiment, 2), ElementsAre(10, 20, 21, 22));
  EXPECT_EQ(look_seeds(study.experiment, 4).size(), 16u);
}

// Claims about losses of about 1 (post_ln, close together) and about 0 (pre_ln, far apart).
class Settling : public testing::Test {
 protected:
  Settling() {
    study_.add_claim("clear", "post_ln", above(0.5));
    study_.add_claim("unclear", "pre_ln", above(-2));
    for (int seed = 1; seed <= 6; ++seed) {
      study_.finish("post_ln-" + std::to_string(seed), seed < 4 ? 1 + 0.001 * seed : -9);
      study_.finish("pre_ln-" + std::to_string(seed), seed % 3 - 1);
    }
  }
  std::vector<Question> questions(int seeds) const {
    config::Experiment part = study_.experiment;
    std::erase_if(part.cells, [&](const config::Cell& cell) {
      return cell.config.seed > static_cast<std::uint64_t>(seeds);
    });
    return prepare(part);
  }
  std::vector<Answer> look(int number, int seeds, std::vector<Answer> before) const {
    return take_look(
        questions(seeds), [this](const std::string& id) { return study_.folder(id); }, number,
        std::move(before));
  }

  Study study_{6};
};

TEST_F(Settling, LeavesDecidedClaimsAsTheyAre) {
  const std::vector<Answer> first = look(1, 3, {});
  EXPECT_EQ(first[0].verdict, Verdict::kConfirmed);
  EXPECT_DOUBLE_EQ(first[0].level, 1 - 0.025 / 2);
  EXPECT_TRUE(is_open(first[1]));

  const std::vector<Answer> second = look(2, 6, first);
  EXPECT_EQ(second[0].verdict, Verdict::kConfirmed);  // though later seeds say otherwise
  EXPECT_EQ(second[0].where.size(), 3u);
  EXPECT_EQ(second[1].verdict, Verdict::kConfirmed);
  EXPECT_EQ(second[1].where.size(), 6u);
  EXPECT_DOUBLE_EQ(second[1].level, 1 - 0.0125);  // the other claim counts as passed
}

TEST_F(Settling, AddsRunsToOpenClaimsOnly) {
  const std::vector<config::Cell> runs = open_runs(questions(6), look(1, 3, {}));
  EXPECT_EQ(runs.size(), 6u);
  for (const config::Cell& run : runs) EXPECT_TRUE(run.id.starts_with("pre_ln"));
}

TEST(SettlingOne, HasNoUseForSeedsWhereARunGaveNoNumber) {
  Study study(2);
  study.add_claim("stalls", "post_ln", above(0));
  study.finish("post_ln-1", 1);
  EXPECT_FALSE(is_open(study.evaluate()[0]));
}

TEST_F(Settling, LeavesAClaimThatShouldBeUndecided) {
  study_.experiment.claims[1].outcome = "inconclusive";
  EXPECT_FALSE(is_open(look(1, 3, {})[1]));
}

}  // namespace
}  // namespace layerlab::claims
