#include "claims/table.h"

#include <gmock/gmock.h>

#include <sstream>

namespace layerlab::claims {
namespace {

using stats::Verdict;
using testing::HasSubstr;
using testing::Not;

std::vector<ClaimResult> two_answers() {
  std::vector<ClaimResult> results(2);
  results[0].claim.id = "post_ln_without_warmup_stalls";
  results[0].claim.expect.text = "> 0.9";
  results[0].where.resize(3);
  results[0].estimate = 1.00012;
  results[0].interval = stats::Interval{0.99871, 1.0015};
  results[0].level = 0.9875;
  results[0].verdict = Verdict::kConfirmed;
  results[0].as_expected = true;
  results[1].claim.id = "pre_ln_learns";
  results[1].claim.expect.text = "< 0.3";
  results[1].where.resize(3);
  results[1].reason = "1 of 3 runs gave no number; seed 2 (3f9c1a) has not finished";
  results[1].warnings = {"the runs differ in train.warmup, so they sample no one setting"};
  return results;
}

TEST(VerdictTable, AlignsItsColumns) {
  EXPECT_EQ(verdict_table(two_answers(), {.width = 120}),
            "claim                          estimate [interval] level     expected  verdict       "
            "as expected  runs\n"
            "post_ln_without_warmup_stalls  1.000 [0.9987, 1.002] 98.75%  > 0.9     CONFIRMED     "
            "yes             3\n"
            "pre_ln_learns                  -                             < 0.3     INCONCLUSIVE  "
            "no              3\n"
            "pre_ln_learns: 1 of 3 runs gave no number; seed 2 (3f9c1a) has not finished\n"
            "pre_ln_learns: warning: the runs differ in train.warmup, so they sample no one "
            "setting\n");
}

TEST(VerdictTable, TellsThatSamplesAreIndependent) {
  std::vector<ClaimResult> results = two_answers();
  results[0].paired = false;
  EXPECT_THAT(verdict_table(results, {.width = 120}), HasSubstr("1.002] 98.75% unpaired  > 0.9"));
}

TEST(VerdictTable, PutsNamesOnTheirOwnLinesInANarrowTerminal) {
  const std::string table = verdict_table(two_answers(), {.width = 80});
  EXPECT_THAT(table, HasSubstr("\npost_ln_without_warmup_stalls\n  1.000 [0.9987, 1.002] 98.75%"));
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(VerdictTable, IsColouredOnlyWhenAsked) {
  EXPECT_THAT(verdict_table(two_answers(), {.width = 120}), Not(HasSubstr("\033")));
  const std::string table = verdict_table(two_answers(), {.width = 120, .colour = true});
  EXPECT_THAT(table, HasSubstr("\033[32mCONFIRMED   \033[0m"));
  EXPECT_THAT(table, HasSubstr("\033[33mINCONCLUSIVE\033[0m"));
}

TEST(VerdictTable, MarksAnUnexpectedVerdictRed) {
  std::vector<ClaimResult> results = two_answers();
  results[0].as_expected = false;
  EXPECT_THAT(verdict_table(results, {.width = 120, .colour = true}), HasSubstr("\033[31mCONF"));
}

RunNumber run(const std::string& cell, std::optional<double> seconds = {}) {
  RunNumber number;
  number.cell = cell;
  number.seconds[cell] = seconds;
  return number;
}

std::vector<JudgedStudy> two_studies() {
  std::vector<ClaimResult> results = two_answers();
  results[0].claim.source = "Xiong et al. 2020";
  results[1].claim.source = "Wang et al. 2019, section 2";
  results[0].where = {run("a", 2), run("b", 3.5)};
  results[0].versus = {run("c", 1)};
  results[1].where = {run("a", 2), run("d")};
  ClaimResult refuted = results[0];
  refuted.claim.id = "warmup_never_matters";
  refuted.claim.outcome = "refuted";
  refuted.claim.expect.text = "0 .. 0.1";
  refuted.verdict = Verdict::kRefuted;
  refuted.as_expected = false;
  return {{"demo", results}, {"warmup", {refuted}}};
}

TEST(Overview, IsALineForEachClaimOfAllStudies) {
  EXPECT_EQ(
      overview(two_studies(), {.width = 200}),
      "study   claim                          source                       expected          "
      "verdict       estimate  interval                runs  time\n"
      "demo    post_ln_without_warmup_stalls  Xiong et al. 2020            > 0.9 confirmed   "
      "CONFIRMED        1.000  [0.9987, 1.002] 98.75%     3   7 s\n"
      "demo    pre_ln_learns                  Wang et al. 2019, section 2  < 0.3 confirmed   "
      "INCONCLUSIVE         -                             2   2 s\n"
      "warmup  warmup_never_matters           Xiong et al. 2020            0 .. 0.1 refuted  "
      "REFUTED          1.000  [0.9987, 1.002] 98.75%     3   7 s\n"
      "1 of 3 claims as expected; 4 runs, 7 s of training; 1 warning, which verify tells of each "
      "study alone\n"
      "demo pre_ln_learns: inconclusive, not as expected: 1 of 3 runs gave no number; seed 2 "
      "(3f9c1a) has not finished\n"
      "warmup warmup_never_matters: refuted, not as expected: the whole interval lies outside "
      "0 .. 0.1\n");
}

TEST(Overview, FitsANarrowTerminal) {
  const std::string table = overview(two_studies(), {.width = 80});
  EXPECT_THAT(table, HasSubstr("\ndemo    post_ln_without_warmup_stalls\n"
                               "  Xiong et al. 2020            > 0.9 confirmed\n"
                               "  CONFIRMED        1.000  [0.9987, 1.002] 98.75%     3   7 s\n"));
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Overview, IsMarkdownToo) {
  const std::string page = overview_markdown(two_studies());
  EXPECT_THAT(page,
              testing::StartsWith(
                  "| study | claim | source | expected | verdict | estimate | interval | runs "
                  "| time |\n|---|---|---|---|---|---:|---|---:|---:|\n"
                  "| demo | post_ln_without_warmup_stalls | Xiong et al. 2020 | \\> "
                  "0.9 confirmed | CONFIRMED | 1.000 | [0.9987, 1.002] 98.75% | 3 | 7 s "
                  "|\n"));
  EXPECT_THAT(page, HasSubstr("\n\n1 of 3 claims as expected; 4 runs, 7 s of training; 1 warning, "
                              "which verify tells of each study alone.\n\nNot as expected:\n\n- "
                              "demo pre_ln_learns: inconclusive"));
}

TEST(Overview, LetsNoMarkupOfAFilePass) {
  std::vector<JudgedStudy> studies = two_studies();
  studies[0].results[0].claim.id = "id\n| cut | \x1b[31m[x](javascript:a) ![i](http://a)\u202e";
  const std::string page = overview_markdown(studies);
  for (const char* const part : {"id\n", "\x1b", "[x](", "![i](", "\u202e"}) {
    EXPECT_THAT(page, testing::Not(HasSubstr(part)));
  }
  const std::string table = overview(studies, {.width = 200});
  for (const char* const part : {"id\n", "\x1b", "\u202e"}) {
    EXPECT_THAT(table, testing::Not(HasSubstr(part)));
  }
}

TEST(Overview, CountsAllRunsThatASearchLookedAt) {
  std::vector<JudgedStudy> studies = two_studies();
  studies[0].results[1].where[1].seconds = {{"d", 1}, {"e", 4}};
  const std::string table = overview(studies, {.width = 200});
  EXPECT_THAT(table, HasSubstr("     2   7 s\n"));
  EXPECT_THAT(table, HasSubstr("; 5 runs, 12 s of training;"));
}

TEST(Overview, SaysThatATimeIsNotKnown) {
  std::vector<JudgedStudy> studies = two_studies();
  studies.resize(1);
  studies[0].results.resize(1);
  studies[0].results[0].where = {run("a")};
  studies[0].results[0].versus.clear();
  EXPECT_THAT(overview(studies, {.width = 200}),
              HasSubstr("     1     -\n1 of 1 claim as expected; "
                        "1 run, - of training\n"));
}

}  // namespace
}  // namespace layerlab::claims
