// The numbers, as text with the digits that the documents give.

#include "examples/all.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "examples/table.h"

namespace layerlab::examples {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> computed(const Example& example) {
  std::vector<std::string> texts;
  for (const Row& row : example.rows) texts.push_back(row.computed);
  return texts;
}

std::vector<Verdict> verdicts(const Example& example) {
  std::vector<Verdict> result;
  for (const Row& row : example.rows) result.push_back(row.verdict);
  return result;
}

TEST(PostLnBlock, ErasesScale) {
  EXPECT_THAT(computed(post_ln_block()), ElementsAre("-1 -1 1 1", "0 1"));
}

TEST(PreLnBlock, KeepsTheStreamsMean) {
  EXPECT_THAT(computed(pre_ln_block()), ElementsAre("-0.3416 2.5528 5.4472 8.3416", "4"));
}

TEST(FlatInput, NeedsAnEps) {
  EXPECT_THAT(computed(flat_input()), ElementsAre("nan nan nan nan", "0 0 0 0"));
}

TEST(LargeBranch, DividesGradientsByItsSize) {
  EXPECT_THAT(computed(large_branch()), ElementsAre("1 -1 1 -1", "0.01", "0 0 0 0"));
}

TEST(Highway, MultipliesTheDerivativesOfTenBlocks) {
  EXPECT_THAT(computed(highway()), ElementsAre("13.7858", "0.013463", "74"));
}

TEST(StreamGrowth, IsWithTheRootOfTheDepth) {
  const Example example = stream_growth();
  EXPECT_THAT(verdicts(example), ElementsAre(Verdict::kAgrees, Verdict::kAgrees, Verdict::kAgrees));
  EXPECT_THAT(computed(example),
              ElementsAre(StartsWith("0.99"), StartsWith("4.8"), StartsWith("9.8")));
}

TEST(NinetySixBlocks, ShrinkLessThanStated) {
  const Example example = ninety_six_blocks();
  EXPECT_EQ(example.rows[0].computed, "1.1e-18");
  EXPECT_THAT(verdicts(example),
              ElementsAre(Verdict::kDocumentErrs, Verdict::kDocumentErrs, Verdict::kAgrees));
}

TEST(GainAndBias, KeepTheSign) {
  EXPECT_THAT(computed(gain_and_bias()), ElementsAre("-1.6833 0.1056 1.8944 3.6833", "1 4"));
}

TEST(NumpyDemonstration, IsReproducedToItsLastDigit) {
  const std::vector<Example> examples = numpy_demonstration();
  ASSERT_EQ(examples.size(), 4);
  EXPECT_THAT(computed(examples[0]), ElementsAre("1.700939", "1.689503", "1.263976", "0.000000",
                                                 "0.000000", "0.000000", "4"));
  EXPECT_THAT(computed(examples[1]), ElementsAre("1.700939", "2.298551", "16.253619", "137.441732",
                                                 "669.103461", "2161.587827"));
  EXPECT_THAT(computed(examples[2]), ElementsAre("2.0000 2.0000 2.0000"));
  EXPECT_THAT(computed(examples[3]), ElementsAre("7.2434 6.4415 6.3632"));
}

TEST(ExampleTable, CountsVerdictsAndMarksWhatDiffers) {
  const Row agrees{"output", "1", "1", Verdict::kAgrees},
      errs{"sum", "2", "3", Verdict::kDocumentErrs}, differs{"mean", "4", "5", Verdict::kDiffers};
  const std::vector<Document> good = {{"A text", {{"x + M(x)", {agrees, errs}}}}};
  EXPECT_TRUE(all_as_expected(good));
  EXPECT_EQ(table(good),
            "          stated  layerlab\n"
            "A text\n"
            "x + M(x)\n"
            "  output  1       1         agrees\n"
            "  sum     2       3         the document errs\n"
            "\n"
            "1 agree, in 1 the document errs, 0 differ\n");
  const std::vector<Document> bad = {{"A text", {{"x + M(x)", {agrees, differs}}}}};
  EXPECT_FALSE(all_as_expected(bad));
  EXPECT_THAT(table(bad), HasSubstr("DIFFERS\n"));
}

}  // namespace
}  // namespace layerlab::examples
