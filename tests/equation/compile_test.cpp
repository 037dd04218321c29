#include <gmock/gmock.h>

#include <algorithm>

#include "equation/program.h"
#include "tests/equation/small_sizes.h"
#include "tests/support/user_error.h"

namespace layerlab::equation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Block block(const std::string& equation, const std::string& finish = "",
            const std::string& start = "") {
  Block result;
  result.equation = {equation, {"test.toml", 1, 1}};
  result.finish = {finish, {"test.toml", 2, 1}};
  result.start = {start, {"test.toml", 3, 1}};
  return result;
}

std::vector<std::string> norm_names(const Program& program) {
  std::vector<std::string> names;
  for (const Norm& norm : program.norms) names.push_back(norm.name);
  return names;
}

// The roles of the register that holds (layer, sublayer, role), as "attn.sum".
std::vector<std::string> roles_with(const Program& program, int layer, const std::string& sublayer,
                                    const std::string& role) {
  const auto names = [](const Site& site) {
    return std::to_string(site.layer) + "." + site.sublayer + "." + site.role;
  };
  for (const Tap& tap : program.taps) {
    std::vector<std::string> roles;
    for (const Site& site : tap.sites) roles.push_back(names(site));
    const std::string wanted = names({layer, sublayer, role});
    if (std::find(roles.begin(), roles.end(), wanted) != roles.end()) return roles;
  }
  return {};
}

TEST(PostLn, NormsTheSumAndLeavesItAsTheStream) {
  const Program program = compile(block("LN(x + F(x))"), sizes(1));
  EXPECT_THAT(norm_names(program), ElementsAre("blocks.0.attn.norm", "blocks.0.ff.norm"));
  EXPECT_THAT(roles_with(program, 0, "attn", "in"),
              ElementsAre("-1.embedding.out", "0.attn.in", "0.attn.branch_in"));
  EXPECT_THAT(roles_with(program, 0, "attn", "branch"), ElementsAre("0.attn.branch"));
  EXPECT_THAT(roles_with(program, 0, "attn", "sum"), ElementsAre("0.attn.sum"));
  EXPECT_THAT(roles_with(program, 0, "attn", "norm"),
              ElementsAre("0.attn.norm", "0.attn.out", "0.ff.in", "0.ff.branch_in"));
  EXPECT_THAT(roles_with(program, 0, "ff", "out"),
              ElementsAre("0.ff.norm", "0.ff.out", "-1.finish.in", "-1.finish.out"));
}

TEST(PreLn, NormsTheBranchInputAndTheEnd) {
  const Program program = compile(block("x + F(LN(x))", "LN(x)"), sizes(2));
  EXPECT_THAT(norm_names(program),
              ElementsAre("blocks.0.attn.norm", "blocks.0.ff.norm", "blocks.1.attn.norm",
                          "blocks.1.ff.norm", "final_norm"));
  EXPECT_THAT(roles_with(program, 0, "ff", "norm"), ElementsAre("0.ff.norm", "0.ff.branch_in"));
  EXPECT_THAT(roles_with(program, 0, "ff", "sum"),
              ElementsAre("0.ff.sum", "0.ff.out", "1.attn.in"));
  EXPECT_THAT(roles_with(program, -1, "finish", "final_norm"),
              ElementsAre("-1.finish.final_norm", "-1.finish.out"));
}

TEST(NoResidual, HandsOnWhatABranchReturnsInALocal) {
  const Program program = compile(block("h = A(x); x = M(h)"), sizes(1));
  EXPECT_THAT(roles_with(program, 0, "attn", "branch"),
              ElementsAre("0.attn.branch", "0.attn.h", "0.attn.out", "0.ff.in", "0.ff.branch_in"));
}

TEST(NoResidual, HasNoSum) {
  const Program program = compile(block("F(x)"), sizes(1));
  EXPECT_THAT(roles_with(program, 0, "attn", "sum"), IsEmpty());
  EXPECT_THAT(roles_with(program, 0, "attn", "branch"),
              ElementsAre("0.attn.branch", "0.attn.out", "0.ff.in", "0.ff.branch_in"));
}

TEST(Compile, GivesEachBlockItsOwnBranches) {
  const Program program = compile(block("x + F(x)"), sizes(3));
  ASSERT_EQ(program.branches.size(), 6u);
  EXPECT_EQ(program.branches[4].name, "blocks.2.attn");
  EXPECT_EQ(program.branches[5].type, BranchType::kFeedForward);
}

TEST(Compile, WritesEveryRegisterOnce) {
  const Program program = compile(block("LN(2*x - F(x)/3)"), sizes(2));
  std::vector<int> written;
  for (const Instruction& instruction : program.instructions) {
    for (const int reg : instruction.in) {
      EXPECT_LT(reg, instruction.out) << "reads only what was written before";
    }
    written.push_back(instruction.out);
  }
  EXPECT_TRUE(std::adjacent_find(written.begin(), written.end(), std::greater_equal<>()) ==
              written.end());
  EXPECT_EQ(program.registers, written.back() + 1);
}

TEST(Compile, MarksStreamsAndOnlyThem) {
  const Program program = compile(block("x + F(LN(x))"), sizes(1));
  for (const Tap& tap : program.taps) {
    const bool carries_stream = std::any_of(tap.sites.begin(), tap.sites.end(), [](const Site& s) {
      return s.role == "in" || s.role == "out" || s.role == "sum";
    });
    EXPECT_EQ(tap.stream, carries_stream) << tap.sites[0].role;
  }
}

TEST(Compile, ResolvesNumbersWhenItCompiles) {
  const Program program = compile(block("x + 2^-1*F(x)"), sizes(1));
  const auto scale = std::find_if(program.instructions.begin(), program.instructions.end(),
                                  [](const Instruction& i) { return i.op == Op::kScale; });
  ASSERT_NE(scale, program.instructions.end());
  EXPECT_EQ(scale->number, 0.5);
}

TEST(Compile, TakesEpsOfANorm) {
  const Program program = compile(block("x + F(LN(x))", "LN(x, eps=1e-7)"), sizes(1));
  EXPECT_LT(program.norms[0].eps, 0) << "the model's";
  EXPECT_EQ(program.norms.back().eps, 1e-7);
}

// Bottom-to-top connection, Takase et al. 2022.
TEST(Compile, GivesNormsOfAWholeBlockToTheirBranch) {
  const Program program = compile(block("h = LN(x + A(x)); x = LN(x + h + M(h))"), sizes(1));
  EXPECT_THAT(norm_names(program), ElementsAre("blocks.0.attn.norm", "blocks.0.ff.norm"));
  EXPECT_THAT(roles_with(program, 0, "attn", "out"),
              ElementsAre("0.attn.norm", "0.attn.h", "0.attn.out", "0.ff.in", "0.ff.branch_in"));
  EXPECT_THAT(roles_with(program, 0, "ff", "sum"), ElementsAre("0.ff.sum"));
}

TEST(Compile, RunsParallelBranches) {
  const Program program = compile(block("x + A(LN(x)) + M(LN(x))"), sizes(1));
  EXPECT_THAT(norm_names(program), ElementsAre("blocks.0.attn.norm", "blocks.0.ff.norm"));
  EXPECT_THAT(roles_with(program, 0, "ff", "sum"),
              ElementsAre("0.attn.sum", "0.ff.sum", "0.ff.out", "-1.finish.in", "-1.finish.out"));
}

// GPT-J: what both branches read is not the stream.
TEST(Compile, KeepsTheStreamWhileParallelBranchesReadALocal) {
  const Program program = compile(block("n = LN(x); x = x + A(n) + M(n)"), sizes(1));
  EXPECT_THAT(roles_with(program, 0, "ff", "in"),
              ElementsAre("-1.embedding.out", "0.attn.in", "0.ff.in"));
  EXPECT_THAT(roles_with(program, 0, "attn", "norm"),
              ElementsAre("0.attn.norm", "0.attn.n", "0.attn.branch_in", "0.ff.branch_in"));
  EXPECT_THAT(roles_with(program, 0, "attn", "out"), IsEmpty());
  EXPECT_THAT(roles_with(program, 0, "attn", "sum"),
              ElementsAre("0.attn.sum", "0.ff.sum", "0.ff.out", "-1.finish.in", "-1.finish.out"));
}

TEST(Compile, KeepsTheStreamWhileBranchesWaitInLocals) {
  const Program program = compile(block("u = A(LN(x)); v = M(LN(x)); x = x + u + v"), sizes(1));
  EXPECT_THAT(roles_with(program, 0, "attn", "branch"), ElementsAre("0.attn.branch", "0.attn.u"));
  EXPECT_THAT(roles_with(program, 0, "attn", "out"), IsEmpty());
  EXPECT_THAT(roles_with(program, 0, "attn", "sum"),
              ElementsAre("0.attn.sum", "0.ff.sum", "0.ff.out", "-1.finish.in", "-1.finish.out"));
}

TEST(Sum, IsFoundThroughALocal) {
  const Program program = compile(block("u = F(LN(x)); x = x + u"), sizes(1));
  EXPECT_THAT(roles_with(program, 0, "attn", "sum"),
              ElementsAre("0.attn.sum", "0.attn.out", "0.ff.in"));
}

TEST(Sum, IsWhereTheBranchMeetsTheMainStreamAndNotAnother) {
  const Program program =
      compile(block("u = F(x); y = y + u; x = LN(x + u)", "x + LN(y)", "y = x"), sizes(1));
  EXPECT_THAT(roles_with(program, 0, "attn", "y"), ElementsAre("0.attn.y"));
  EXPECT_THAT(roles_with(program, 0, "attn", "sum"), ElementsAre("0.attn.sum"));
}

TEST(Sum, IsNotWhereTwoBranchesAreAdded) {
  const Program program = compile(block("u = A(LN(x)) + M(LN(x)); x = x + u"), sizes(1));
  EXPECT_THAT(roles_with(program, 0, "ff", "u"), ElementsAre("0.ff.u"));
  EXPECT_THAT(roles_with(program, 0, "attn", "sum"),
              ElementsAre("0.attn.sum", "0.ff.sum", "0.ff.out", "-1.finish.in", "-1.finish.out"));
}

// ResiDual, Xie et al. 2023.
TEST(Compile, KeepsOtherStreamsFromStartToFinish) {
  const Program program = compile(
      block("u = F(x); y = y + u; x = LN(x + u)", "x + LN(y, eps=1e-7)", "y = x"), sizes(2));
  EXPECT_THAT(roles_with(program, 0, "attn", "y"), ElementsAre("0.attn.y"));
  EXPECT_THAT(roles_with(program, 1, "ff", "out"),
              ElementsAre("1.ff.norm", "1.ff.out", "-1.finish.in"));
  EXPECT_EQ(program.norms.back().name, "final_norm");
}

TEST(Compile, GivesAStreamThatBeginsAsACopyAPlaceOfItsOwn) {
  const Program program =
      compile(block("u = F(x); y = y + u; x = LN(x + u)", "x + LN(y)", "y = x"), sizes(1));
  EXPECT_THAT(roles_with(program, -1, "embedding", "y"), ElementsAre("-1.embedding.y"));
}

TEST(Compile, NamesTheNormsOfASandwich) {
  const Program program = compile(block("x + LN_out(F(LN_in(x)))", "LN(x)"), sizes(1));
  EXPECT_THAT(norm_names(program),
              ElementsAre("blocks.0.attn.norm_in", "blocks.0.attn.norm_out", "blocks.0.ff.norm_in",
                          "blocks.0.ff.norm_out", "final_norm"));
  EXPECT_THAT(roles_with(program, 0, "attn", "sum"),
              ElementsAre("0.attn.sum", "0.attn.out", "0.ff.in"));
}

struct Mistake {
  const char* equation;
  const char* line;
};

class CompilerRefuses : public testing::TestWithParam<Mistake> {};

TEST_P(CompilerRefuses, WithPlaceAndRemedy) {
  EXPECT_EQ(refusal([] { compile(block(GetParam().equation), sizes(1)); }), GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, CompilerRefuses,
    testing::Values(
        Mistake{"",
                "test.toml:1:1: expected a branch: F, or A and M; write for example "
                "x + F(LN(x))"},
        Mistake{"x + LN(x)",
                "test.toml:1:1: expected a branch: F, or A and M; write for example "
                "x + F(LN(x))"},
        Mistake{"x + G(x)",
                "test.toml:1:5: expected a branch, a norm or a function, got 'G'; known: F, A, C, "
                "M, LN, RMS, L2, ScaleNorm, DyT, N, GRU, T, repeat, sum, outer, sigmoid, tanh, "
                "abs, unit, stopgrad, sqrt, log, exp, min, max, round, floor, mod, eq"},
        Mistake{"x + F(LayerNorm(x))",
                "test.toml:1:7: expected a branch, a norm or a function, got 'LayerNorm'; did you "
                "mean 'LN'?"},
        Mistake{"x + FFN_post(x)",
                "test.toml:1:5: expected a branch, a norm or a function, got 'FFN_post'; did you "
                "mean 'M_post'?"},
        Mistake{"x + F", "test.toml:1:5: expected brackets after F; write F(x)"},
        Mistake{"x + F(x) + LN", "test.toml:1:12: expected brackets after LN; write LN(...)"},
        Mistake{"x + F(LM(x))",
                "test.toml:1:7: expected a branch, a norm or a function, got "
                "'LM'; did you mean 'LN'?"},
        Mistake{"x + F(z)",
                "test.toml:1:7: expected a known name, got 'z'; declare it under const or param"},
        Mistake{"x + F(x) + F(x)",
                "test.toml:1:12: expected F once; twice would share its weights; keep its value in "
                "a local, for example u = F(x)"},
        Mistake{"x + F(x) + M(x)",
                "test.toml:1:12: expected F alone, or A, C and M without it; "
                "F stands for each of them in turn"},
        Mistake{"x + A(x) + A(x)",
                "test.toml:1:12: expected A once; twice would share its weights; keep its value in "
                "a local, for example u = A(x), or name two, A_a and A_b"},
        Mistake{"x + F(x, x)", "test.toml:1:5: expected one value in F(...)"},
        Mistake{"x + F(2)", "test.toml:1:7: expected a tensor in F(...), got a number"},
        Mistake{"2 / F(x)", "test.toml:1:3: expected a number to divide by"},
        Mistake{"F(x) ^ 2", "test.toml:1:6: expected numbers around ^"},
        Mistake{"h = 2; x + F(x)",
                "test.toml:1:5: expected a tensor, got a number; an equation works on x, for "
                "example x + F(LN(x))"},
        Mistake{"h = LN(x); x + F(x)",
                "test.toml:1:1: expected h to be used; use it, or remove the statement"},
        Mistake{"h = x; h = LN(x); x + F(h)",
                "test.toml:1:8: expected one value of h in a "
                "sub-layer; use another name for the second"},
        Mistake{"sum = F(x); x + sum",
                "test.toml:1:1: expected a free name, and sum has a "
                "meaning; take another, for example h"},
        Mistake{"LN(x + LN(F(x)))",
                "test.toml:1:1: expected norms of one sub-layer to have different names; name this "
                "one, for example LN_out"},
        Mistake{"x + F(LN(x, epsilon=1))",
                "test.toml:1:13: expected an option of a norm, got "
                "'epsilon'; did you mean 'eps'?"},
        Mistake{"x + F(LN(x, eps=-1))", "test.toml:1:17: expected a number of at least 0 for eps"},
        Mistake{"x + F(x, gated=1)",
                "test.toml:1:10: expected an option of F, got 'gated'; known: mid_norm, qk_norm, "
                "v_norm, head_scale, qk_gain, scale"}));

TEST(Compile, RefusesBranchesOutsideTheBlocks) {
  EXPECT_EQ(refusal([] { compile(block("x + F(x)", "F(x)"), sizes(1)); }),
            "test.toml:2:1: expected no branch outside the blocks; move it into `equation`");
}

}  // namespace
}  // namespace layerlab::equation
