// What the functions, norms, options and learned tensors of an equation become.

#include <gmock/gmock.h>

#include <algorithm>

#include "core/toml.h"
#include "equation/block_toml.h"
#include "equation/program.h"
#include "tests/support/user_error.h"

namespace layerlab::equation {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kWidth = 8, kHeads = 2, kFf = 16;

Program compiled(const std::string& toml, int depth = 1) {
  const Block block = read_block("", parse_toml_text(toml, "a.toml"));
  return compile(block, {.depth = depth, .width = kWidth, .heads = kHeads, .ff = kFf});
}
Program equation(const std::string& text) { return compiled("equation = '" + text + "'"); }

std::vector<Op> ops(const Program& program) {
  std::vector<Op> result;
  for (const Instruction& instruction : program.instructions) result.push_back(instruction.op);
  return result;
}

std::vector<std::string> parameter_names(const Program& program) {
  std::vector<std::string> result;
  for (const Parameter& parameter : program.parameters) result.push_back(parameter.name);
  return result;
}

std::vector<std::string> sites_of(const Program& program, int reg) {
  std::vector<std::string> result;
  for (const Tap& tap : program.taps) {
    if (tap.reg != reg) continue;
    for (const Site& site : tap.sites) result.push_back(site.sublayer + "." + site.role);
  }
  return result;
}

const Instruction& find(const Program& program, Op op) {
  return *std::ranges::find(program.instructions, op, &Instruction::op);
}

// --- arithmetic and functions -------------------------------------------------------------------

TEST(Expression, FoldsNumbersBeforeTheyMeetTensors) {
  EXPECT_THAT(ops(equation("x + sqrt(4)*2*A(x)*M(x)")),
              ElementsAre(Op::kBranch, Op::kScale, Op::kBranch, Op::kMultiply, Op::kAdd));
  EXPECT_EQ(find(equation("x + sqrt(4)*2*F(x)"), Op::kScale).number, 4);
}

TEST(Expression, ShiftsByNumbers) {
  EXPECT_EQ(find(equation("x + F(x + 2)"), Op::kShift).number, 2);
  EXPECT_EQ(find(equation("x + F(2 - x)"), Op::kShift).number, 2);
  EXPECT_EQ(find(equation("x + F(x - 2)"), Op::kShift).number, -2);
}

TEST(Expression, CallsEachFunctionOfTensors) {
  const struct {
    const char* name;
    Op op;
  } functions[] = {{"sigmoid", Op::kSigmoid},
                   {"tanh", Op::kTanh},
                   {"abs", Op::kAbs},
                   {"unit", Op::kUnit},
                   {"stopgrad", Op::kStopGradient}};
  for (const auto& [name, op] : functions) {
    EXPECT_THAT(ops(equation("x + " + std::string(name) + "(F(x))")), Contains(op)) << name;
  }
}

TEST(Expression, DividesTensors) {
  EXPECT_THAT(ops(equation("x/(1 + abs(F(x)))")), Contains(Op::kDivide));
}

const char* const kStreams = "start = 'h = repeat(x, 4)'\nfinish = 'sum(h)'\n";

TEST(Expression, WorksOnSeveralStreams) {
  const Program program = compiled(std::string(kStreams) +
                                   "equation = 'h = h[0:] + outer(b, F(h[1]))'\n"
                                   "param = { b = { shape = [4], init = 1 } }");
  EXPECT_EQ(program.instructions.front().op, Op::kRepeat);
  EXPECT_EQ(program.instructions.front().index, 4);
  EXPECT_EQ(find(program, Op::kSliceFrom).index, 0);
  EXPECT_EQ(find(program, Op::kIndex).index, 1);
  EXPECT_EQ(program.instructions.back().op, Op::kSum);
}

TEST(Expression, TransposesAndMultipliesMatrices) {
  const Program program = compiled(std::string(kStreams) +
                                   "equation = 'm = T(a) @ h; h = m + outer(b, F(m[0]))'\n"
                                   "param = { a = { shape = [4, 4], init = 'eq(i, j)' }, "
                                   "b = { shape = [4], init = 1 } }");
  EXPECT_THAT(ops(program), Contains(Op::kTranspose));
  EXPECT_THAT(ops(program), Contains(Op::kMatrixProduct));
}

TEST(Expression, GatesWithAGru) {
  const Program program = equation("GRU(F(LN(x)), x)");
  ASSERT_EQ(program.grus.size(), 2u);
  EXPECT_EQ(program.grus[0].name, "blocks.0.attn.gru");
  EXPECT_THAT(sites_of(program, find(program, Op::kGru).out), Contains("attn.sum"));
}

// --- norms --------------------------------------------------------------------------------------

TEST(Norms, OfEachKind) {
  const struct {
    const char* name;
    NormType type;
  } kinds[] = {{"LN", NormType::kLayerNorm}, {"RMS", NormType::kRmsNorm},
               {"L2", NormType::kL2},        {"ScaleNorm", NormType::kScaleNorm},
               {"DyT", NormType::kDyT},      {"N", NormType::kModel}};
  for (const auto& [name, type] : kinds) {
    const Program program = equation("x + F(" + std::string(name) + "(x))");
    EXPECT_EQ(program.norms[0].type, type) << name;
    EXPECT_EQ(program.norms[0].weight.empty(), type == NormType::kL2) << name;
  }
}

TEST(Norms, TakeTheirOptions) {
  const Program program = equation("x + F(LN(x, eps=1e-7, bias=0, offset=1)) + RMS_b(x, affine=0)");
  EXPECT_EQ(program.norms[0].eps, 1e-7);
  EXPECT_EQ(program.norms[0].bias, false);
  EXPECT_EQ(program.norms[0].offset, 1);
  EXPECT_FALSE(program.norms[0].unbiased || program.norms[0].eps_outside);
  EXPECT_EQ(program.norms[0].weight, Shape{kWidth});
  EXPECT_THAT(program.norms[1].weight, IsEmpty());
  EXPECT_EQ(program.norms[1].name, "blocks.0.attn.norm_b");
}

TEST(Norms, AreSharedInTheirScope) {
  EXPECT_EQ(compiled("equation = 'x + F(LN(x))'", 3).norms.size(), 6u);
  const Program block = compiled("equation = 'x + F(LN(x, scope=block))'", 3);
  ASSERT_EQ(block.norms.size(), 3u);
  EXPECT_EQ(block.norms[2].name, "blocks.2.norm");
  const Program stack = compiled("equation = 'x + F(LN(x, scope=stack))'", 3);
  ASSERT_EQ(stack.norms.size(), 1u);
  EXPECT_EQ(stack.norms[0].name, "norm");
}

TEST(Norms, OutsideTheBlocksAreNamedByTheirPlace) {
  const Program program =
      compiled("equation = 'x + F(x)'\nstart = 'x = LN(x)'\nfinish = 'RMS_b(LN(x))'");
  EXPECT_EQ(program.norms[0].name, "start_norm");
  EXPECT_EQ(program.norms[1].name, "final_norm");
  EXPECT_EQ(program.norms[2].name, "final_norm_b");
}

// --- inside a branch ----------------------------------------------------------------------------

TEST(BranchOptions, MidNormStandsBeforeTheLastMatrix) {
  const Program program = equation("x + F(x, mid_norm=RMS(eps=1e-6))");
  EXPECT_EQ(program.branches[0].mid->name, "blocks.0.attn.norm_mid");
  EXPECT_EQ(program.branches[0].mid->weight, Shape{kWidth});
  EXPECT_EQ(program.branches[1].mid->weight, Shape{kFf});
  EXPECT_EQ(program.branches[1].mid->type, NormType::kRmsNorm);
  EXPECT_EQ(program.branches[1].mid->eps, 1e-6);
}

TEST(BranchOptions, QkNormHasFourForms) {
  const struct {
    const char* form;
    Shape weight;
    const char* name;
  } forms[] = {{"head", {kWidth / kHeads}, "blocks.0.attn.head_norm_q"},
               {"heads", {kHeads, kWidth / kHeads}, "blocks.0.attn.q_norm"},
               {"vector", {kWidth}, "blocks.0.attn.q_norm"},
               {"unit", {}, "blocks.0.attn.q_norm"}};
  for (const auto& [form, weight, name] : forms) {
    const Program program = equation("x + F(x, qk_norm=" + std::string(form) + ")");
    EXPECT_EQ(program.branches[0].q->weight, weight) << form;
    EXPECT_EQ(program.branches[0].q->name, name) << form;
    EXPECT_EQ(program.branches[0].q->type, weight.empty() ? NormType::kL2 : NormType::kRmsNorm)
        << form;
    EXPECT_FALSE(program.branches[1].q) << "a feed-forward branch has no queries";
  }
  const Program program = equation("x + F(x, qk_norm=heads(eps=0, offset=1))");
  EXPECT_EQ(program.branches[0].k->eps, 0);
  EXPECT_EQ(program.branches[0].k->offset, 1);
}

TEST(BranchOptions, OfAttention) {
  EXPECT_EQ(equation("x + F(x, v_norm=head)").branches[0].v->weight, Shape{kWidth / kHeads});
  EXPECT_EQ(equation("x + F(x, head_scale=before)").branches[0].head_scale, HeadScale::kBefore);
  EXPECT_EQ(equation("x + F(x, head_scale=after)").branches[0].head_scale, HeadScale::kAfter);
  EXPECT_EQ(equation("x + F(x, scale=sqrt(K))").branches[0].scale, 2);
}

TEST(BranchOptions, LearnedFactorsAreOperands) {
  const Program program = compiled(
      "equation = 'x + F(x, qk_gain=2*a, up_gain=b, gate_gain=c)'\n[param]\n"
      "a = { shape = 'vector', init = 1 }\nb = { shape = ['ff'], init = 1 }\n"
      "c = { shape = ['ff'], init = 1 }\n");
  EXPECT_EQ(program.branches[0].qk_gain, 1);
  EXPECT_EQ(program.branches[0].up_gain, -1);
  EXPECT_EQ(program.branches[1].up_gain, 1);
  EXPECT_EQ(program.branches[1].gate_gain, 2);
  for (const Instruction& instruction : program.instructions) {
    if (instruction.op != Op::kBranch) continue;
    EXPECT_EQ(instruction.in.size(), instruction.index == 0 ? 2u : 3u);
  }
}

// --- learned tensors ----------------------------------------------------------------------------

TEST(Parameters, BelongToTheirScope) {
  const auto names = [](const std::string& scope) {
    return parameter_names(compiled(
        "equation = 'x + g*F(x)'\nparam = { g = { scope = '" + scope + "', init = 1 } }", 2));
  };
  EXPECT_THAT(names("sublayer"),
              ElementsAre("blocks.0.attn.g", "blocks.0.ff.g", "blocks.1.attn.g", "blocks.1.ff.g"));
  EXPECT_THAT(names("block"), ElementsAre("blocks.0.g", "blocks.1.g"));
  EXPECT_THAT(names("stack"), ElementsAre("g"));
}

TEST(Parameters, BeginWithAnExpressionOfTheirIndices) {
  const Program program = compiled(
      "equation = 'm = a @ F(x); x = x + m'\nparam = { a = { shape = ['D', 'D'], init = '10*i + j "
      "+ 100*s' } }");
  const Parameter& first = program.parameters[0];
  EXPECT_EQ(first.shape, (Shape{kWidth, kWidth}));
  EXPECT_EQ(first.init[0], 100);
  EXPECT_EQ(first.init[kWidth + 2], 112) << "row 1, column 2";
  EXPECT_EQ(program.parameters[1].init[0], 200);
}

TEST(Parameters, OutsideTheBlocksHaveNoPrefix) {
  EXPECT_THAT(parameter_names(compiled("equation = 'x + F(x)'\nfinish = 'g*x'\n"
                                       "param = { g = { init = 1 } }")),
              ElementsAre("g"));
}

TEST(Parameters, OfOneDimensionCountTheirElementsByI) {
  const Program program =
      compiled("equation = 'x + g*F(x)'\nparam = { g = { shape = 'vector', init = 'i' } }");
  EXPECT_THAT(program.parameters[0].init, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Norms, OutsideTheBlocksAreSharedInTheirScope) {
  const Program program =
      compiled("equation = 'x + F(x)'\nfinish = 'LN(LN(x, scope=stack), scope=stack)'");
  ASSERT_EQ(program.norms.size(), 1u);
  EXPECT_EQ(program.norms[0].name, "final_norm");
}

TEST(Expression, ARefusedMixNamesTheBlockWithOtherStreams) {
  EXPECT_EQ(refusal([] {
              compiled(
                  "layers = [{ block = 'pre_ln', count = 1 }, "
                  "{ block = { equation = 'y = y + F(x)', start = 'y = x' } }]");
            }),
            "a.toml:1:44: expected blocks of one stack to have the same streams; give them the "
            "same `start`");
}

TEST(Expression, AMixNeedsABlockForEachLayer) {
  EXPECT_EQ(refusal([] { compiled("layers = [{ block = 'pre_ln', count = 2 }]", 3); }),
            "a.toml:1:39: expected counts for all 3 blocks; leave out the last count, which then "
            "takes all that remain");
  EXPECT_EQ(refusal([] { compiled("layers = [{ block = 'pre_ln', count = 'L/2' }]", 3); }),
            "a.toml:1:40: expected a whole number of blocks, got 1.5; floor(L/4) rounds down");
}

TEST(Expression, AMemoryNeedsABranchThatReadsIt) {
  const Block block = read_block("", parse_toml_text("equation = 'x + A(x) + M(x)'", "a.toml"));
  EXPECT_EQ(refusal([&] {
              compile(block, {.width = kWidth, .heads = kHeads, .ff = kFf, .cross = true});
            }),
            "a.toml:1:13: expected a branch C, since there is a memory to read; add for example "
            "x = x + C(LN(x)), which is left out where there is none");
}

TEST(Expression, ConstantsOfALeftOutStatementCountAsUsed) {
  EXPECT_NO_THROW(
      compiled("equation = 'x = x + A(x); x = x + c*C(x); x = x + M(x)'\n"
               "const = { c = 2 }\ngain = { cross.v = 'c' }"));
}

TEST(Warnings, TellThatPowersComeBeforeDivision) {
  const auto lines = [](const std::string& text) {
    return warnings(read_block("", parse_toml_text(text, "a.toml")));
  };
  EXPECT_THAT(lines("equation = 'a*x + F(x)'\nconst = { a = '(2*L)^1/4' }"),
              ElementsAre("a.toml:2:21: ^1/ divides, since powers come first; write ^(1/…) for a "
                          "root"));
  EXPECT_THAT(lines("equation = 'x + L^-1/4*F(x)'"),
              ElementsAre("a.toml:1:18: ^-1/ divides, since powers come first; write ^(-1/…) for "
                          "a root"));
  EXPECT_THAT(lines("equation = 'L^(1/4)*x + L^2/4*F(x)'"), IsEmpty());
}

}  // namespace
}  // namespace layerlab::equation
