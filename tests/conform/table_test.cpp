#include "conform/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace layerlab::conform {
namespace {

using testing::HasSubstr;
using testing::Not;

Comparison agreeing() {
  Comparison comparison;
  comparison.rows = {{"block_out.0", TensorKind::kValue, 1e-16, 2e-16, 1e-11},
                     {"output", TensorKind::kValue, 3e-16, 4e-16, 1e-11},
                     {"grad.input", TensorKind::kGradient, 5e-15, 6e-15, 1e-10},
                     {"grad.blocks.0.ff.up.weight", TensorKind::kGradient, 7e-15, 8e-15, 1e-10}};
  return comparison;
}

TEST(ConformTable, ShowsTheWorstOfEachGroup) {
  const std::string table = comparison_table(agreeing(), /*all=*/false);
  EXPECT_THAT(table, HasSubstr("2 values, worst output"));
  EXPECT_THAT(table, HasSubstr("1 gradient of inputs and streams, worst grad.input"));
  EXPECT_THAT(table, HasSubstr("1 gradient of parameters, worst grad.blocks.0.ff.up.weight"));
  EXPECT_THAT(table, HasSubstr("all 4 tensors agree\n"));
  EXPECT_THAT(table, Not(HasSubstr("DIFFERS")));
}

TEST(ConformTable, ShowsEveryTensorWorstFirstWhenAsked) {
  const std::string table = comparison_table(agreeing(), /*all=*/true);
  EXPECT_LT(table.find("grad.blocks.0.ff.up.weight"), table.find("output"));
  EXPECT_LT(table.find("output"), table.find("block_out.0"));
}

TEST(ConformTable, ShowsWhatDiffersWhereAndWhy) {
  Comparison comparison = agreeing();
  comparison.rows[1].relative_error = 0.5;
  comparison.difference = "output; block_out.0 agrees";
  comparison.explanations = {"eps = 1e-6 instead of 1e-05"};
  const std::string table = comparison_table(comparison, /*all=*/false);
  EXPECT_THAT(table, HasSubstr("5.0e-01      1e-11  DIFFERS"));
  EXPECT_THAT(table, HasSubstr("1 of 4 tensors differ\n"));
  EXPECT_THAT(table, HasSubstr("first difference: output; block_out.0 agrees\n"));
  EXPECT_THAT(table, HasSubstr("they agree with eps = 1e-6 instead of 1e-05\n"));
}

TEST(ConformTable, SaysThatNoSuspectFits) {
  Comparison comparison = agreeing();
  comparison.rows[1].relative_error = 0.5;
  comparison.tried = 60;
  EXPECT_THAT(comparison_table(comparison, /*all=*/false),
              HasSubstr("none of 60 single changes agrees\n"));
  comparison.explanations = {"relu"};
  EXPECT_THAT(comparison_table(comparison, /*all=*/false), Not(HasSubstr("none of")));
}

TEST(ConformTable, DoesNotCountDifferencesWhereThereAreNone) {
  Comparison comparison = agreeing();
  comparison.unused = {"grad.foo"};
  comparison.tried = 60;
  const std::string table = comparison_table(comparison, /*all=*/false);
  EXPECT_THAT(table, HasSubstr("all 4 tensors that both have agree\n"));
  EXPECT_THAT(table, Not(HasSubstr("differ")));
  EXPECT_THAT(table, Not(HasSubstr("none of")));
}

TEST(ConformTable, NamesWhatTheTwoDoNotHaveInCommon) {
  Comparison comparison;
  comparison.missing = {"blocks.0.attn.norm.bias"};
  comparison.unused = {"final_norm.weight"};
  const std::string table = comparison_table(comparison, /*all=*/false);
  EXPECT_THAT(table, HasSubstr("the file lacks: blocks.0.attn.norm.bias\n"));
  EXPECT_THAT(table, HasSubstr("the equation lacks: final_norm.weight\n"));
}

TEST(ConformTable, ShowsControlCharactersInNames) {
  Comparison comparison = agreeing();
  comparison.rows[1].tensor = "out\x1b[2Jput";
  comparison.unused = {"a\nb"};
  comparison.difference = "at\x07.0";
  const std::string table = comparison_table(comparison, /*all=*/true);
  EXPECT_THAT(table, HasSubstr("out\\x1b[2Jput"));
  EXPECT_THAT(table, HasSubstr("a\\nb"));
  EXPECT_THAT(table, Not(HasSubstr("\x1b")));
  EXPECT_THAT(table, Not(HasSubstr("\x07")));
}

}  // namespace
}  // namespace layerlab::conform
