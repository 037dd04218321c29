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
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(result.verdict, Verdict::kConfirmed);
  EXPECT_TRUE(result.as_expected);
  EXPECT_NEAR(*result.estimate, 2.76, 1e-12);
  EXPECT_NEAR(result.interval->low, 2.7351586228824964, 1e-9);
  EXPECT_NEAR(result.interval->high, 2.784841377117503, 1e-9);
  EXPECT_DOUBLE_EQ(result.level, 0.95);
  EXPECT_EQ(*result.where[1].value, 2.76);
  EXPECT_EQ(result.reason, "");
  EXPECT_THAT(result.warnings, IsEmpty());
}

// exp of stats.t.interval(0.95, 2, ...) of the logs of 2, 4 and 8: 4 exp(-+ 4.302653
// log(2)/sqrt(3)).
TEST(Evaluate, JudgesARatioOfPairs) {
  Study study(3);
  config::Claim& claim = study.add_claim("ratio", "post_ln", above(0.5));
  claim.kind = config::ClaimKind::kRatio;
  claim.versus = {{"model.block", {toml("pre_ln")}}};
  for (int seed = 1; seed <= 3; ++seed) {
    const std::string suffix = "-" + std::to_string(seed);
    study.finish("pre_ln" + suffix, seed);
    study.finish("post_ln" + suffix, seed * std::exp2(seed));
  }
  const ClaimResult result = study.evaluate()[0];
  EXPECT_NEAR(*result.estimate, 4, 1e-12);
  EXPECT_NEAR(result.interval->low, 0.7149242471789496, 1e-12);
  EXPECT_NEAR(result.interval->high, 22.37999349320587, 1e-10);
  EXPECT_EQ(result.verdict, Verdict::kConfirmed);
}

TEST(Evaluate, RefusesARatioOfNumbersThatAreNotPositive) {
  Study study(2);
  config::Claim& claim = study.add_claim("ratio", "post_ln", above(0.5));
  claim.kind = config::ClaimKind::kRatio;
  claim.versus = {{"model.block", {toml("pre_ln")}}};
  for (const char* const cell : {"post_ln-1", "post_ln-2", "pre_ln-1"}) study.finish(cell, 1);
  study.finish("pre_ln-2", 0);
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_EQ(result.reason, "kind = \"ratio\" needs positive numbers, and some runs gave others");
}

// The differences 1, 2 and 3: 2 -+ 4.302652729749464/sqrt(3).
TEST(Evaluate, JudgesADifferenceOfPairs) {
  Study study(3);
  config::Claim& claim = study.add_claim("difference", "post_ln", above(-1));
  claim.kind = config::ClaimKind::kDifference;
  claim.versus = {{"model.block", {toml("pre_ln")}}};
  for (int seed = 1; seed <= 3; ++seed) {
    const std::string suffix = "-" + std::to_string(seed);
    study.finish("pre_ln" + suffix, 10 * seed);
    study.finish("post_ln" + suffix, 11 * seed);
  }
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(*result.estimate, 2);
  EXPECT_NEAR(result.interval->low, -0.4841377117503, 1e-9);
  EXPECT_EQ(result.verdict, Verdict::kConfirmed);
  ASSERT_EQ(result.sample.size(), 3u);
  EXPECT_EQ(result.sample[2].seed, 3u);
  EXPECT_EQ(result.sample[2].value, 3);
}

// Claims of a kind about the losses 11, 22 and 33 of some seeds of one block against 1 and 2 of
// others of the other.
ClaimResult unpaired(config::ClaimKind kind, double low) {
  Study study(5);
  config::Claim& claim = study.add_claim("unpaired", "post_ln", above(low));
  claim.kind = kind;
  claim.where.push_back({"seed", {toml("1"), toml("2"), toml("3")}});
  claim.versus = {{"model.block", {toml("pre_ln")}}, {"seed", {toml("4"), toml("5")}}};
  for (int seed = 1; seed <= 3; ++seed) study.finish("post_ln-" + std::to_string(seed), 11 * seed);
  study.finish("pre_ln-4", 1);
  study.finish("pre_ln-5", 2);
  return study.evaluate()[0];
}

// SciPy 1.17.1: stats.ttest_ind([11, 22, 33], [1, 2], equal_var=False).confidence_interval().
TEST(Evaluate, JudgesADifferenceOfIndependentSamples) {
  const ClaimResult result = unpaired(config::ClaimKind::kDifference, -10);
  EXPECT_EQ(*result.estimate, 20.5);
  EXPECT_NEAR(result.interval->low, -6.591928091228258, 1e-9);
  EXPECT_NEAR(result.interval->high, 47.591928091228255, 1e-9);
  EXPECT_EQ(result.verdict, Verdict::kConfirmed);
  EXPECT_EQ(result.sample.size(), 3u);
  ASSERT_EQ(result.versus_sample.size(), 2u);
  EXPECT_EQ(result.versus_sample[1].seed, 5u);
  EXPECT_EQ(result.versus_sample[1].value, 2);
}

// exp of the same of the logarithms.
TEST(Evaluate, JudgesARatioOfIndependentSamples) {
  const ClaimResult result = unpaired(config::ClaimKind::kRatio, 1);
  EXPECT_NEAR(*result.estimate, 14.133881227678577, 1e-9);
  EXPECT_NEAR(result.interval->low, 2.6402808155918507, 1e-9);
  EXPECT_NEAR(result.interval->high, 75.66111808199646, 1e-9);
}

TEST(Evaluate, SaysHowManySeedsOfBothSamplesWouldSettleIt) {
  EXPECT_EQ(unpaired(config::ClaimKind::kDifference, 0).reason,
            "about 6 seeds like these 5 would settle it, both sides together");
}

TEST(Evaluate, NeedsTwoSeedsOfEitherSample) {
  Study study(3);
  config::Claim& claim = study.add_claim("unpaired", "post_ln", above(0));
  claim.kind = config::ClaimKind::kDifference;
  claim.where.push_back({"seed", {toml("1"), toml("2")}});
  claim.versus = {{"model.block", {toml("pre_ln")}}, {"seed", {toml("3")}}};
  for (const char* const cell : {"post_ln-1", "post_ln-2", "pre_ln-3"}) study.finish(cell, 1);
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_EQ(result.reason, "one seed gives no spread between seeds between seeds");
}

TEST(Evaluate, JudgesAnEquivalenceByItsMargin) {
  Study study(3);
  for (const double margin : {5.0, 1.0}) {
    config::Claim& claim =
        study.add_claim("margin" + std::to_string(margin), "post_ln", {-margin, margin, ""});
    claim.kind = config::ClaimKind::kEquivalence;
    claim.versus = {{"model.block", {toml("pre_ln")}}};
  }
  for (int seed = 1; seed <= 3; ++seed) {
    const std::string suffix = "-" + std::to_string(seed);
    study.finish("pre_ln" + suffix, 1);
    study.finish("post_ln" + suffix, seed - 1);
  }
  const std::vector<ClaimResult> results =
      study.evaluate();  // 0 -+ 2.5, of the differences -1, 0, 1
  EXPECT_EQ(results[0].verdict, Verdict::kConfirmed);
  EXPECT_EQ(results[1].verdict, Verdict::kInconclusive);
}

// Of a claim along the depths 2, 4 and 8, at which a seed has the losses `loss(seed, depth)`.
ClaimResult along_depth(config::ClaimKind kind, double (*loss)(double seed, double depth)) {
  Study study(3, {8, 2, 4});  // prepare() puts them in order
  config::Claim& claim = study.add_claim("depth", "pre_ln", above(0));
  claim.kind = kind;
  claim.along = "model.depth";
  for (const int seed : {1, 2, 3}) {
    for (const int depth : {2, 4, 8}) {
      study.finish("pre_ln-" + std::to_string(seed) + "-" + std::to_string(depth),
                   loss(seed, depth));
    }
  }
  return study.evaluate()[0];
}

TEST(Evaluate, JudgesTheSlopeOfEachSeed) {
  const ClaimResult result = along_depth(config::ClaimKind::kSlope, [](double seed, double depth) {
    return 100 * seed + seed * depth;
  });
  EXPECT_NEAR(*result.estimate, 2, 1e-12);  // of the slopes 1, 2 and 3
  EXPECT_NEAR(result.interval->low, -0.4841377117503, 1e-9);
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST(Evaluate, JudgesTheExponentOfEachSeed) {
  const ClaimResult result =
      along_depth(config::ClaimKind::kExponent,
                  [](double seed, double depth) { return seed * std::pow(depth, 0.5 * seed); });
  EXPECT_NEAR(*result.estimate, 1, 1e-12);  // of 0.5, 1 and 1.5
  EXPECT_NEAR(result.interval->low, -0.24206885587515, 1e-9);
}

TEST(Evaluate, JudgesTheTrendOfEachSeed) {
  const ClaimResult result = along_depth(config::ClaimKind::kTrend, [](double seed, double depth) {
    return depth == 8 && seed == 1 ? 3.0 : depth;  // 2, 4, 3
  });
  EXPECT_NEAR(*result.estimate, (1.0 / 3 + 1 + 1) / 3, 1e-12);
  EXPECT_EQ(result.interval->high, 1);
}

TEST(Evaluate, JudgesAFraction) {
  Study study(7);
  config::Claim& claim = study.add_claim("learns", "pre_ln", above(0.5));
  claim.kind = config::ClaimKind::kFraction;
  claim.measure = "final('loss') < 0.3";
  for (int seed = 1; seed <= 7; ++seed) study.finish("pre_ln-" + std::to_string(seed), 0.01);
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(*result.estimate, 1);
  EXPECT_NEAR(result.interval->low, 0.5903836027749514, 1e-12);  // SciPy, see interval_test.cpp
  EXPECT_EQ(result.verdict, Verdict::kConfirmed);
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
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(result.estimate.has_value());
  EXPECT_EQ(result.reason,
            "2 of 3 runs gave no number; seed 2 (post_ln-2) has not finished; seed 3 (post_ln-3) "
            "was never started");
}

TEST(Evaluate, NamesAFewOfManyMissingRuns) {
  Study study(5);
  study.finish("post_ln-2", 0.5);
  study.add_claim("c", "post_ln", below(1));
  EXPECT_EQ(study.evaluate()[0].reason,
            "4 of 5 runs gave no number; seed 1 (post_ln-1) was never started; seed 3 (post_ln-3) "
            "was never started; seed 4 (post_ln-4) was never started; and 1 more");
}

TEST(Evaluate, CountsADivergedRunThatGivesANumberAndSaysSo) {
  Study study(2);
  study.add_claim("starts", "post_ln", above(2.5)).measure = "first('loss')";
  study.finish("post_ln-1", 2.75);
  study.finish("post_ln-2", kNan, CellState::kDiverged);
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(result.verdict, Verdict::kConfirmed);
  EXPECT_THAT(result.warnings, ElementsAre("1 of 2 runs diverged and count with the number that "
                                           "their record gives"));
}

TEST(Evaluate, CountsADivergedRunAsChanceWhereTheClaimSaysSo) {
  Study study(2);
  config::Claim& claim = study.add_claim("stalls", "post_ln", above(0));
  claim.measure = "mean_last('loss', 1) + final('loss')";
  claim.diverged = config::DivergedRule::kChance;
  study.finish("post_ln-1", 2.75);
  study.finish("post_ln-2", kNan, CellState::kDiverged);
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(*result.where[0].value, 5.5);
  EXPECT_NEAR(*result.where[1].value, 2 * std::log(16), 1e-12);
  EXPECT_THAT(result.warnings, ElementsAre(HasSubstr("with the loss of guessing")));
}

TEST(Evaluate, CountsADivergedRunAsAFailureWhereTheClaimSaysSo) {
  Study study(2);
  config::Claim& claim = study.add_claim("learns", "post_ln", above(0.1));
  claim.kind = config::ClaimKind::kFraction;
  claim.measure = "first('loss') > 1";
  claim.diverged = config::DivergedRule::kFailure;
  study.finish("post_ln-1", 2.75);
  study.finish("post_ln-2", kNan, CellState::kDiverged);
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(*result.estimate, 0.5);
  EXPECT_THAT(result.warnings, ElementsAre("1 of 2 runs diverged and count as 0"));
}

TEST(Evaluate, IsInconclusiveWhereADivergedRunGivesNone) {
  Study study(2);
  study.add_claim("stalls", "post_ln", above(2.5));
  study.finish("post_ln-1", 2.75);
  study.finish("post_ln-2", kNan, CellState::kDiverged);
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_EQ(result.reason,
            "1 of 2 runs gave no number; seed 2 (post_ln-2) diverged: 'loss' was not a number "
            "there");
}

TEST(Evaluate, MissesTheNumberOfADamagedRunAndReadsTheOthers) {
  Study study(3);
  study.add_claim("stalls", "post_ln", above(2.5));
  for (const char* const run : {"post_ln-1", "post_ln-2", "post_ln-3"}) study.finish(run, 2.75);
  std::filesystem::remove(study.folder("post_ln-1").record());
  std::filesystem::resize_file(study.folder("post_ln-2").record(), 5000);
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_THAT(result.reason, testing::AllOf(HasSubstr("2 of 3 runs gave no number"),
                                            HasSubstr("seed 1 (post_ln-1) is damaged: "),
                                            HasSubstr("seed 2 (post_ln-2)")));
  EXPECT_EQ(*result.where[2].value, 2.75);
}

TEST(Evaluate, IsInconclusiveOnOneRunEvenWhereThatIsExpected) {
  Study study(1);
  study.add_claim("stalls", "post_ln", above(2.5)).outcome = "inconclusive";
  study.finish("post_ln-1", 2.75);
  const ClaimResult result = study.evaluate()[0];
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(result.as_expected);
  EXPECT_EQ(*result.estimate, 2.75);
  EXPECT_EQ(result.reason, "one seed gives no spread between seeds between seeds");
}

TEST(Evaluate, RefusesAMeanOfTwoGroupsThatDisagree) {
  Study study(4);
  study.add_claim("learns", "post_ln", below(2.5));
  study.finish("post_ln-1", 2.77);
  study.finish("post_ln-2", 0.01);
  study.finish("post_ln-3", 0.02);
  study.finish("post_ln-4", 2.76);
  const ClaimResult result = study.evaluate()[0];
  EXPECT_FALSE(result.estimate.has_value());
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_EQ(result.reason,
            "the runs fall into two groups, which no mean describes; ask for the fraction of them "
            "in one group (kind = \"fraction\")");
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
  study.add_claim("all", "post_ln", above(0)).where = {{"model.depth", {toml("6")}}};
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
