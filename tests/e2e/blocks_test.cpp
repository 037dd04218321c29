// `layerlab blocks`.

#include "tests/e2e/command_line.h"

namespace layerlab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(CommandLine, ListsTheBlocksWithEquationAndSource) {
  const Ended ended = layerlab({"blocks"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("deepnorm"), HasSubstr("LN(alpha*x + F(x))"),
                                  HasSubstr("arXiv 2203.00555")));
}

TEST_F(CommandLine, ShowsABlockAtAGivenSize) {
  const Ended ended = layerlab({"blocks", "deepnorm", "--depth", "12"});
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("alpha = (2*L)^(1/4) = 2.21336"), HasSubstr("blocks 1 to 12"),
                    HasSubstr("t4 = LN(t3)"), HasSubstr("attn.norm attn.out")));
  EXPECT_THAT(layerlab({"blocks", "deepnorm", "--side", "decoder"}).output,
              AllOf(HasSubstr("(3*M_dec)^(1/4) = 2.05977"), HasSubstr("cross.norm")));
}

TEST_F(CommandLine, ShowsBlocksSideBySideWhereThereIsRoom) {
  ::setenv("COLUMNS", "130", 1);
  EXPECT_THAT(layerlab({"blocks", "post_ln", "pre_ln"}).output, StartsWith("post_ln    "));
  ::setenv("COLUMNS", "80", 1);
  EXPECT_THAT(layerlab({"blocks", "post_ln", "pre_ln"}).output, StartsWith("post_ln\n"));
  ::unsetenv("COLUMNS");
}

TEST_F(CommandLine, ChecksAnEquation) {
  const Ended good = layerlab({"blocks", "--equation", "a*x + F(LN(x))", "--const", "a=L^1/4"});
  EXPECT_EQ(good.code, exit_code::kDone);
  EXPECT_THAT(good.output, HasSubstr("attn.norm on what the branch reads"));
  EXPECT_THAT(good.errors, HasSubstr("write ^(1/…) for a root"));
  const Ended bad = layerlab({"blocks", "--equation", "x + F(LM(x))"});
  EXPECT_EQ(bad.code, exit_code::kUserError);
  EXPECT_THAT(bad.errors, HasSubstr("did you mean 'LN'?\n  x + F(LM(x))\n        ^\n"));
}

TEST_F(CommandLine, ChecksAnEquationThoughItIsEmpty) {
  const Ended ended = layerlab({"blocks", "--equation", ""});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr("--equation:1:1: expected a branch"));
}

TEST_F(CommandLine, CountsTheLinesOfAnEquationFromOne) {
  EXPECT_THAT(layerlab({"blocks", "--equation", "x +\nF(LM(x))"}).errors,
              HasSubstr("--equation:2:3: "));
}

TEST_F(CommandLine, ShowsTheBlockOfAFile) {
  TemporaryFolder folder;
  const std::string path = folder / "mine.toml";
  write_file_atomically(path,
                        "[block]\nequation = \"x + g*F(LN(x))\"\n"
                        "param = { g = { init = 0.5 } }\n");
  EXPECT_THAT(layerlab({"blocks", path}).output,
              AllOf(StartsWith("mine\n"), HasSubstr("g: a number, one a sub-layer")));
  write_file_atomically(path, "[model]\ndepth = 2\n");
  EXPECT_THAT(layerlab({"blocks", path}).errors, HasSubstr("mine.toml: expected a [block]"));
}

TEST_F(CommandLine, SuggestsTheNearestBlock) {
  const Ended ended = layerlab({"blocks", "pre_nl"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr("did you mean 'pre_ln'?"));
}

}  // namespace
}  // namespace layerlab
