#include "claims/evaluate.h"

#include <gmock/gmock.h>

#include "tests/claims/study.h"
#include "tests/support/user_error.h"

namespace layerlab::claims {
namespace {

using record::CellState;
using stats::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// SciPy 1.17.1: stats.t.interval(0.95, 2, loc=2.76, scale=stats.sem([2.75, 2.76, 2.77])).
TEST(Evaluate, JudgesAMean) {
  Study study(3);
  study.add_claim("stalls", "post_ln", above(2.5));
  study.finish("post_ln-1", 2.75);
  study.finish("post_ln-2", 2.76);
  study.finish("post_ln-3", 2.77);
  const Answer answer = study.evaluate()[0];
  EXPECT_EQ(answer.verdict, Verdict::kConfirmed);
  EXPECT_TRUE(answer.as_expected);
  EXPECT_NEAR(*answer.estimate, 2.76, 1e-12);
  EXPECT_NEAR(answer.interval->low, 2.7351586228824964, 1e-9);
  EXPECT_NEAR(answer.interval->high, 2.784841377117503, 1e-9);
  EXPECT_DOUBLE_EQ(answer.level, 0.95);
  EXPECT_EQ(*answer.where[1].value, 2.76);
  EXPECT_EQ(answer.reason, "");
  EXPECT_THAT(answer.warnings, IsEmpty());
}

// exp of stats.t.interval(0.95, 2, ...) of the logs of 2, 4 and 8: 4 exp(-+ 4.302653
// log(2)/sqrt(3)).
TEST(Evaluate, JudgesARatioOfPairs) {
  Study study(3);
  config::Claim& claim = study.add_claim("ratio", "post_ln", above(0.5));
  claim.kind = config::ClaimKind::kRatio;
  claim.versus = {{"model.block", toml("pre_ln")}};
  for (int seed = 1; seed <= 3; ++seed) {
    const std::string suffix = "-" + std::to_string(seed);
    study.finish("pre_ln" + suffix, seed);
    study.finish("post_ln" + suffix, seed * std::exp2(seed));
  }
  const Answer answer = study.evaluate()[0];
  EXPECT_NEAR(*answer.estimate, 4, 1e-12);
  EXPECT_NEAR(answer.interval->low, 0.7149242471789496, 1e-12);
  EXPECT_NEAR(answer.interval->high, 22.37999349320587, 1e-10);
  EXPECT_EQ(answer.verdict, Verdict::kConfirmed);
}

TEST(Evaluate, RefusesARatioOfNumbersThatAreNotPositive) {
  Study study(2);
  config::Claim& claim = study.add_claim("ratio", "post_ln", above(0.5));
  claim.kind = config::ClaimKind::kRatio;
  claim.versus = {{"model.block", toml("pre_ln")}};
  for (const char* const cell : {"post_ln-1", "post_ln-2", "pre_ln-1"}) study.finish(cell, 1);
  study.finish("pre_ln-2", 0);
  const Answer answer = study.evaluate()[0];
  EXPECT_EQ(answer.verdict, Verdict::kInconclusive);
  EXPECT_THAT(answer.reason, HasSubstr("needs positive numbers"));
}

TEST(Evaluate, JudgesAFraction) {
  Study study(7);
  config::Claim& claim = study.add_claim("learns", "pre_ln", above(0.5));
  claim.kind = config::ClaimKind::kFraction;
  claim.measure = "final('loss') < 0.3";
  for (int seed = 1; seed <= 7; ++seed) study.finish("pre_ln-" + std::to_string(seed), 0.01);
  const Answer answer = study.evaluate()[0];
  EXPECT_EQ(*answer.estimate, 1);
  EXPECT_NEAR(answer.interval->low, 0.5903836027749514, 1e-12);  // SciPy, see interval_test.cpp
  EXPECT_EQ(answer.verdict, Verdict::kConfirmed);
}

TEST(Evaluate, RefusesAFractionOfSomethingElseThanZeroAndOne) {
  Study study(1);
  study.add_claim("learns", "pre_ln", above(0.5)).kind = config::ClaimKind::kFraction;
  study.finish("pre_ln-1", 0.25);
  EXPECT_THAT([&] { study.evaluate(); },
              throws_user_error("study.toml:12:11: the measure of a fraction must be 0 or 1; it "
                                "was 0.25; compare it with something"));
}

TEST(Evaluate, IsInconclusiveWhileARunIsMissing) {
  Study study(3);
  study.add_claim("stalls", "post_ln", above(2.5));
  study.finish("post_ln-1", 2.75);
  study.begin("post_ln-2");
  const Answer answer = study.evaluate()[0];
  EXPECT_EQ(answer.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(answer.estimate.has_value());
  EXPECT_EQ(answer.reason,
            "2 of 3 runs gave no number; seed 2 (post_ln-2) has not finished; seed 3 (post_ln-3) "
            "was never started");
}

TEST(Evaluate, CountsADivergedRunThatGivesANumber) {
  Study study(2);
  study.add_claim("starts", "post_ln", above(2.5)).measure = "first('loss')";
  study.finish("post_ln-1", 2.75);
  study.finish("post_ln-2", kNan, CellState::kDiverged);
  EXPECT_EQ(study.evaluate()[0].verdict, Verdict::kConfirmed);
}

TEST(Evaluate, IsInconclusiveWhereADivergedRunGivesNone) {
  Study study(2);
  study.add_claim("stalls", "post_ln", above(2.5));
  study.finish("post_ln-1", 2.75);
  study.finish("post_ln-2", kNan, CellState::kDiverged);
  const Answer answer = study.evaluate()[0];
  EXPECT_EQ(answer.verdict, Verdict::kInconclusive);
  EXPECT_EQ(answer.reason,
            "1 of 2 runs gave no number; seed 2 (post_ln-2) diverged: 'loss' was not a number "
            "there");
}

TEST(Evaluate, IsInconclusiveOnOneRunEvenWhereThatIsExpected) {
  Study study(1);
  study.add_claim("stalls", "post_ln", above(2.5)).outcome = "inconclusive";
  study.finish("post_ln-1", 2.75);
  const Answer answer = study.evaluate()[0];
  EXPECT_EQ(answer.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(answer.as_expected);
  EXPECT_EQ(*answer.estimate, 2.75);
  EXPECT_EQ(answer.reason, "one seed tells nothing of the spread between seeds");
}

TEST(Evaluate, WarnsThatRunsFallIntoTwoGroups) {
  Study study(4);
  study.add_claim("positive", "post_ln", above(0));
  study.finish("post_ln-1", 2.77);
  study.finish("post_ln-2", 0.01);
  study.finish("post_ln-3", 0.02);
  study.finish("post_ln-4", 2.76);
  EXPECT_THAT(study.evaluate()[0].warnings, ElementsAre(HasSubstr("fall into two groups")));
}

TEST(Evaluate, WarnsThatRunsDifferInMoreThanTheSeed) {
  Study study(1);
  study.add_claim("all", "post_ln", above(0)).where = {{"model.depth", toml("6")}};
  study.finish("post_ln-1", 1);
  study.finish("pre_ln-1", 1);
  EXPECT_THAT(study.evaluate()[0].warnings, ElementsAre(HasSubstr("differ in model.block")));
}

TEST(Evaluate, KnowsTheChanceLossOfEachRunsTask) {
  Study study(2);
  study.add_claim("chance", "post_ln", above(0)).measure = "chance_loss()";
  study.finish("post_ln-1", 1);
  study.finish("post_ln-2", 1);
  EXPECT_NEAR(*study.evaluate()[0].estimate, std::log(16), 1e-12);
}

}  // namespace
}  // namespace layerlab::claims
