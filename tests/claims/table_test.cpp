#include "claims/table.h"

#include <gmock/gmock.h>

#include <sstream>

namespace layerlab::claims {
namespace {

using stats::Verdict;
using testing::HasSubstr;
using testing::Not;

std::vector<Answer> two_answers() {
  std::vector<Answer> answers(2);
  answers[0].claim.id = "post_ln_without_warmup_stalls";
  answers[0].claim.expect.text = "> 0.9";
  answers[0].where.resize(3);
  answers[0].estimate = 1.00012;
  answers[0].interval = stats::Interval{0.99871, 1.0015};
  answers[0].level = 0.9875;
  answers[0].verdict = Verdict::kConfirmed;
  answers[0].as_expected = true;
  answers[1].claim.id = "pre_ln_learns";
  answers[1].claim.expect.text = "< 0.3";
  answers[1].where.resize(3);
  answers[1].reason = "1 of 3 runs gave no number; seed 2 (3f9c1a) has not finished";
  answers[1].warnings = {"the runs differ in train.warmup, so they sample no one setting"};
  return answers;
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
  std::vector<Answer> answers = two_answers();
  answers[0].paired = false;
  EXPECT_THAT(verdict_table(answers, {.width = 120}), HasSubstr("1.002] 98.75% unpaired  > 0.9"));
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
  std::vector<Answer> answers = two_answers();
  answers[0].as_expected = false;
  EXPECT_THAT(verdict_table(answers, {.width = 120, .colour = true}), HasSubstr("\033[31mCONF"));
}

}  // namespace
}  // namespace layerlab::claims
