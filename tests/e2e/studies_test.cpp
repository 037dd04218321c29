// `layerlab verify` of a folder of studies, of two sizes, and with other seeds.

#include "tests/e2e/command_line.h"

namespace layerlab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class Studies : public CommandLine {
 protected:
  // A study of two blocks and `seeds`, below studies/.
  void study(const std::string& name, const std::string& seeds, const std::string& more) {
    write("studies/" + name + "/" + name + ".toml",
          "[grid]\n\"model.block\" = [\"post_ln\", \"pre_ln\"]\nseed = \"" + seeds + "\"\n" + more);
  }
  std::string studies() const { return (folder_ / "studies").string(); }
  std::size_t cells() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "results/cells")) {
      count += entry.is_directory() ? 1 : 0;
    }
    return count;
  }
};

TEST_F(Studies, AreTrainedAsOnePlanAndJudgedInOneTable) {
  study("learning", "1..3", claim("pre_ln", "< 0.1"));
  study("stalling", "2..4", claim("post_ln", "> 0.9"));
  write("studies/tasks/copy.toml", "");
  write("studies/tasks/sort.toml", "");
  const Ended ended = with_results({"verify", studies()});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(ended.errors,
              AllOf(HasSubstr("passing over " + studies() + "/tasks: it holds 2 TOML files\n"),
                    HasSubstr("2 experiments: 8 runs, 0 done")));
  EXPECT_EQ(cells(), 8u);
  EXPECT_THAT(
      ended.output,
      AllOf(MatchesRegex("study     claim  source  expected .*"),
            HasSubstr("\nlearning  c              < 0.1 confirmed  CONFIRMED"),
            HasSubstr("\nstalling  c              > 0.9 confirmed  CONFIRMED"),
            HasSubstr("   3   6 s\n2 of 2 claims as expected; 6 runs, 12 s of training\n")));
  for (const char* const name : {"learning", "stalling"}) {
    EXPECT_THAT(read_file(folder_ / "results" / name / "verdicts.json"), HasSubstr("confirmed"));
  }
}

TEST_F(Studies, SayWhichClaimsAreNotAsExpected) {
  study("learning", "1..3", claim("pre_ln", "< 0.1"));
  study("wrong", "1..3", claim("post_ln", "< 0.1"));
  const Ended ended = with_results({"verify", studies()});
  EXPECT_EQ(ended.code, exit_code::kNotAsExpected);
  EXPECT_THAT(ended.output, HasSubstr("\n1 of 2 claims as expected; 6 runs, 12 s of training\n"
                                      "wrong c: refuted, not as expected: the whole interval lies "
                                      "outside < 0.1\n"));
}

TEST_F(Studies, AreNotBegunWhereOneIsBroken) {
  study("learning", "1..3", claim("pre_ln", "< 0.1"));
  study("worse", "1..3",
        "[[claim]]\nid = \"c\"\nmeasure = \"final('loss') /\"\nexpect = \"> 1\"\n");
  const Ended ended = with_results({"verify", studies()});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr(studies() + "/worse/worse.toml:6:12: "));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

TEST_F(Studies, MustHaveDifferentNames) {
  study("learning", "1..3", claim("pre_ln", "< 0.1"));
  write("studies/more/learning.toml", "seed = 2\n" + claim("pre_ln", "< 0.1"));
  EXPECT_EQ(with_results({"verify", studies()}).errors,
            "layerlab: " + studies() + "/more/learning.toml: has the name of " + studies() +
                "/learning/learning.toml; rename one of them\n");
}

TEST_F(Studies, CannotBeExplainedOrSettledTogether) {
  study("learning", "1..3", claim("pre_ln", "< 0.1"));
  EXPECT_EQ(with_results({"verify", studies(), "--settle"}).errors,
            "layerlab: " + studies() +
                ": is a folder of studies, and --settle needs one; name one of them\n");
  EXPECT_EQ(with_results({"verify", studies(), "--explain", "c"}).code, exit_code::kUserError);
}

TEST_F(Studies, NeedClaims) {
  study("plain", "1..3", "");
  const Ended ended = with_results({"verify", studies()});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr("plain.toml: it has no claims\n"));
  EXPECT_THAT(ended.errors, HasSubstr(studies() + ": holds no study with claims"));
}

TEST_F(Studies, HaveAQuickSize) {
  study("learning", "1..5", claim("pre_ln", "< 0.1") + "[quick.grid]\nseed = [1, 2, 3]\n");
  EXPECT_EQ(with_results({"verify", studies(), "--quick"}).code, exit_code::kDone);
  EXPECT_EQ(cells(), 6u);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "results/learning-quick/verdicts.json"));
  EXPECT_EQ(
      with_results({"run", studies() + "/learning", "--quick"}).output,
      "6 finished; listed in " + (folder_ / "results/learning-quick/cells.txt").string() + "\n");
}

TEST_F(Studies, SearchInRoundsWhileOthersAreTrained) {
  study("learning", "1..2", claim("pre_ln", "< 0.1"));
  study("searching", "3..4",
        "[search]\nkey = \"train.warmup\"\nvalues = [0, 50, 100]\n"
        "passes = \"final('loss') < 1\"\n" +
            claim("pre_ln", "< 0.1"));
  const Ended ended = with_results({"verify", studies()});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(ended.errors, AllOf(HasSubstr("2 experiments: 8 runs, 0 done"),
                                  HasSubstr("2 experiments: 12 runs, 8 done")));
  EXPECT_THAT(ended.output,
              HasSubstr("2 of 2 claims as expected; 6 runs, 12 s of training; 1 warning"));
}

TEST_F(Studies, AreRepeatedWithOtherSeeds) {
  study("learning", "1..3", claim("pre_ln", "< 0.9"));
  with_results({"verify", studies()});
  const Ended ended =
      with_results({"verify", studies() + "/learning", "--seed-offset", "20", "--explain", "c"});
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("seed 21"), HasSubstr("seed 23"), Not(HasSubstr("seed 1"))));
  EXPECT_EQ(cells(), 12u);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "results/learning-seeds+20/verdicts.json"));
}

TEST_F(Studies, SettleWithOtherSeeds) {
  study("open", "1..3", claim("post_ln", "> 1.006"));
  const Ended ended = with_results(
      {"verify", studies() + "/open", "--settle", "--seed-offset", "20", "--explain", "c"});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(ended.errors,
              AllOf(HasSubstr("stage 2: 1 undecided of 1"), Not(HasSubstr("stage 3"))));
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("seed 21"), HasSubstr("seed 26"), Not(HasSubstr("seed 4"))));
}

TEST_F(Studies, AreWrittenAsMarkdown) {
  study("learning", "1..3", claim("pre_ln", "< 0.1"));
  const std::string page = (folder_ / "pages/RESULTS.md").string();
  with_results({"verify", studies(), "--quick", "--seed-offset", "20", "--markdown", page});
  const std::string text = read_file(page);
  EXPECT_THAT(text,
              MatchesRegex("# Verdicts\n\nWritten by [^\n]*\n\n- date: 20..-..-..\n"
                           "- size: quick, seeds \\+ 20\n- machine: [^\n]*, [0-9]+ cores?\n.*"));
  EXPECT_THAT(text,
              AllOf(HasSubstr("\n- training: 3 runs on cpu with 1 thread; 3 of them trained on "
                              "another machine\n- versions: layerlab 0.1, torch 2.13.0\n\n"
                              "| study | claim |"),
                    HasSubstr("\n| learning | c | | \\< 0.1 confirmed | CONFIRMED |"),
                    HasSubstr("\n1 of 1 claim as expected; 3 runs, 6 s of training.\n"),
                    Not(HasSubstr(folder_.path().string()))));
  with_results({"verify", studies() + "/learning", "--markdown", page});
  EXPECT_THAT(read_file(page), AllOf(HasSubstr("- size: full\n"), HasSubstr("\n| learning | c |")));
}

}  // namespace
}  // namespace layerlab
