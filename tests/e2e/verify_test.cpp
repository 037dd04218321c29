// `layerlab verify`.

#include "tests/e2e/command_line.h"

namespace layerlab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(CommandLine, VerifiesClaims) {
  const std::string file = experiment(claim("pre_ln", "< 0.1"));
  const Ended ended = with_results({"verify", file});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("CONFIRMED"), HasSubstr((folder_ / "results/study").string())));
  EXPECT_THAT(read_file(folder_ / "results/study/verdicts.json"), HasSubstr("\"confirmed\""));
}

TEST_F(CommandLine, VerifiesWhatAResultsFolderHolds) {
  with_results({"run", experiment(claim("pre_ln", "< 0.1"))});
  const Ended ended = with_results({"verify", (folder_ / "results/study").string()});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_EQ(ended.errors, "");
}

TEST_F(CommandLine, TrainsOriginsBeforeTheRunsThatBeginWithThem) {
  const std::string file = experiment(claim("pre_ln", "< 0.1") +
                                      "[origin]\nmodel.block = \"pre_ln\"\ntrain.steps = 100\n");
  const Ended ended = with_results({"verify", file});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(ended.errors,
              AllOf(HasSubstr("study: 9 runs, 0 done"), HasSubstr("study: 9 runs, 3 done")));
  EXPECT_THAT(with_results({"run", file}).output, StartsWith("9 finished; "));
}

TEST_F(CommandLine, SaysThatWhatRunsBeginWithIsNotThere) {
  const Ended ended = with_results({"run", "model.init_from=cell:" + std::string(32, 'a')});
  EXPECT_THAT(ended.errors, HasSubstr("there is no run " + std::string(32, 'a') + " in "));
  EXPECT_EQ(ended.code, exit_code::kUserError);
}

TEST_F(CommandLine, SaysByItsExitCodeThatAClaimIsNotAsExpected) {
  EXPECT_EQ(with_results({"verify", experiment(claim("post_ln", "< 0.1"))}).code,
            exit_code::kNotAsExpected);
}

TEST_F(CommandLine, SaysByItsExitCodeThatAClaimIsUndecided) {
  // The fake worker's losses have a mean of 1.0 of chance, give or take the seeds'.
  EXPECT_EQ(with_results({"verify", experiment(claim("post_ln", "> 0.9998"))}).code,
            exit_code::kUndecided);
}

TEST_F(CommandLine, ExplainsAVerdict) {
  const std::string file = experiment(claim("pre_ln", "< 0.1"));
  const Ended ended = with_results({"verify", file, "--explain", "c"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, AllOf(StartsWith("c\n  measure    final('loss') / chance_loss()\n"),
                                  HasSubstr("seed 3"), HasSubstr("verdict    confirmed")));
  EXPECT_EQ(with_results({"verify", file, "--explain", "d"}).errors,
            "layerlab: " + file + ": has no claim d; known: c\n");
}

TEST_F(CommandLine, AddsSeedsUntilClaimsAreSettled) {
  const std::string file = experiment(claim("post_ln", "> 0.999"));
  EXPECT_EQ(with_results({"verify", file}).code, exit_code::kUndecided);
  const Ended ended = with_results({"verify", file, "--settle"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("98.75%"), HasSubstr("CONFIRMED")));
  EXPECT_THAT(ended.errors, HasSubstr("stage 2: 1 undecided of 1; 6 runs\n"));
  EXPECT_THAT(ended.errors, Not(HasSubstr("stage 3")));
  EXPECT_EQ(with_results({"verify", file, "--settle"}).output, ended.output);
}

TEST_F(CommandLine, StopsSettlingWhenTheBudgetIsSpentAndGoesOnLater) {
  const std::string file = experiment(claim("post_ln", "> 0.999"));
  const Ended stopped = with_results({"verify", file, "--settle", "--budget", "0s"});
  EXPECT_EQ(stopped.code, exit_code::kUndecided);
  EXPECT_THAT(stopped.errors, HasSubstr("the same command continues this stage\n"));
  EXPECT_EQ(with_results({"verify", file, "--settle"}).code, exit_code::kDone);
}

TEST_F(CommandLine, RefusesToVerifyWithoutClaims) {
  const std::string file = experiment("");
  const Ended ended = with_results({"verify", file});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_EQ(ended.errors, "layerlab: " + file + ": has no claims to verify; add a [[claim]]\n");
}

TEST_F(CommandLine, RefusesABrokenMeasureBeforeAnythingIsTrained) {
  const std::string file =
      experiment("[[claim]]\nid = \"c\"\nmeasure = \"final('loss') /\"\nexpect = \"> 1\"\n");
  const Ended ended = with_results({"verify", file});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, StartsWith("layerlab: " + file + ":6:12: "));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

TEST_F(CommandLine, TakesABudgetThatIsATime) {
  for (const std::string budget : {"-1m", "1", "m", "1d", "1e400h", "nanm"}) {
    const Ended ended = with_results({"verify", "none.toml", "--settle", "--budget=" + budget});
    EXPECT_EQ(ended.code, exit_code::kUserError) << budget;
    EXPECT_THAT(ended.errors, HasSubstr("--budget: expected a time such as 90s, 10m or 2h, got " +
                                        budget + "\n"));
  }
}

}  // namespace
}  // namespace layerlab
