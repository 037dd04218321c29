#include "claims/explain.h"

#include <gmock/gmock.h>

#include "tests/claims/study.h"

namespace layerlab::claims {
namespace {

using testing::HasSubstr;

TEST(Explanation, HoldsAllThatAVerdictRestsOn) {
  Study study(2);
  config::Claim& claim = study.add_claim("worse", "post_ln", {1, 3, "1 .. 3"});
  claim.kind = config::ClaimKind::kDifference;
  claim.versus = {{"model.block", {toml("pre_ln")}}};
  claim.statement = "Post-LN is worse";
  claim.source = "a paper";
  study.finish("pre_ln-1", 1);
  study.finish("pre_ln-2", 1);
  study.finish("post_ln-1", 3);
  study.finish("post_ln-2", 3);
  EXPECT_EQ(explanation(study.evaluate()[0]),
            "worse\n"
            "  statement  Post-LN is worse\n"
            "  source     a paper\n"
            "  measure    final('loss')\n"
            "  kind       difference: mean of where - versus, paired by seed\n"
            "  expected   1 .. 3\n"
            "  where      model.block = \"post_ln\"\n"
            "  versus     model.block = \"pre_ln\"\n"
            "  diverged   a diverged run without a number leaves the claim undecided\n"
            "  run        post_ln-1  seed 1  3\n"
            "  run        post_ln-2  seed 2  3\n"
            "  versus run pre_ln-1  seed 1  1\n"
            "  versus run pre_ln-2  seed 2  1\n"
            "  seed       1  2\n"
            "  seed       2  2\n"
            "  estimate   2\n"
            "  interval   [2, 2] at 95%, Student's t of 2 numbers\n"
            "  rule       p = 0 <= 0.05, which Holm's procedure held it against; 0 for all claims "
            "together\n"
            "  verdict    confirmed, as expected: the whole interval lies in 1 .. 3\n");
}

TEST(Explanation, TellsThatSamplesAreIndependent) {
  Study study(4);
  config::Claim& claim = study.add_claim("worse", "post_ln", above(1));
  claim.kind = config::ClaimKind::kRatio;
  claim.where.push_back({"seed", {toml("1"), toml("2")}});
  claim.versus = {{"model.block", {toml("pre_ln")}}, {"seed", {toml("3"), toml("4")}}};
  for (const char* const cell : {"post_ln-1", "post_ln-2"}) study.finish(cell, 3);
  for (const char* const cell : {"pre_ln-3", "pre_ln-4"}) study.finish(cell, 1.5);
  const std::string text = explanation(study.evaluate()[0]);
  EXPECT_THAT(text, HasSubstr("geometric mean of where / versus, of independent samples\n"));
  EXPECT_THAT(text, HasSubstr("  where      model.block = \"post_ln\", seed = [1, 2]\n"));
  EXPECT_THAT(text, HasSubstr("[2, 2] at 95%, Welch's t of the logarithms of 2 and 2 numbers\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("\n  seed ")));
}

TEST(Explanation, NamesRunsWithoutANumber) {
  Study study(2);
  study.add_claim("stalls", "post_ln", above(1));
  study.finish("post_ln-1", 3);
  const std::string text = explanation(study.evaluate()[0]);
  EXPECT_THAT(text, HasSubstr("  run        post_ln-2  seed 2  was never started\n"));
  EXPECT_THAT(text, HasSubstr("  verdict    inconclusive, not as expected: 1 of 2 runs gave no"));
}

TEST(Explanation, ShowsWhereRunsStandOnTheAxis) {
  Study study(1, {2, 4});
  config::Claim& claim = study.add_claim("grows", "pre_ln", above(0));
  claim.kind = config::ClaimKind::kSlope;
  claim.along = "model.depth";
  study.finish("pre_ln-1-2", 3);
  study.finish("pre_ln-1-4", 4);
  const std::string text = explanation(study.evaluate()[0]);
  EXPECT_THAT(text, HasSubstr("  run        pre_ln-1-4  seed 1  model.depth = 4  4\n"));
  EXPECT_THAT(text, HasSubstr("  seed       1  0.5\n"));
}

}  // namespace
}  // namespace layerlab::claims
