#include "equation/program_text.h"

#include <gmock/gmock.h>

#include "equation/block_text.h"
#include "equation/parameter_count.h"

namespace layerlab::equation {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Sizes kSizes = {.depth = 3, .width = 8, .heads = 2, .ff = 16};

std::vector<std::string> text(const std::vector<ProgramLine>& lines) {
  std::vector<std::string> result;
  for (const ProgramLine& line : lines) {
    result.push_back(line.instruction + (line.sites.empty() ? "" : " | " + line.sites));
  }
  return result;
}

Program compiled(const std::string& name, int depth = 3) {
  Sizes sizes = kSizes;
  sizes.depth = depth;
  return compile(find_block(name, {}), sizes);
}

Block written(const std::string& equation) {
  Block block;
  block.equation = {equation, {"test", 1, 1}};
  return block;
}

TEST(ProgramText, WritesOneInstructionALineWithItsSites) {
  const Program program = compiled("pre_ln");
  EXPECT_THAT(
      text(block_lines(program, 1)),
      ElementsAre("t1 = LN(x) | attn.norm attn.branch_in", "t2 = A(t1) | attn.branch",
                  "t3 = x + t2 | attn.sum attn.out ff.in", "t4 = LN(t3) | ff.norm ff.branch_in",
                  "t5 = M(t4) | ff.branch", "t6 = t3 + t5 | ff.sum ff.out"));
  EXPECT_THAT(text(finish_lines(program)),
              ElementsAre("t1 = LN(x) | finish.final_norm finish.out"));
  EXPECT_THAT(start_lines(program), testing::IsEmpty());
}

TEST(ProgramText, CallsStreamsByTheirNames) {
  EXPECT_THAT(text(finish_lines(compiled("resi_dual"))),
              ElementsAre("t1 = LN(y, eps=1e-07) | finish.final_norm", "t2 = x + t1 | finish.out"));
  EXPECT_THAT(text(start_lines(compiled("hyper_connections_static"))),
              ElementsAre("t1 = repeat(x, 4)"));
  EXPECT_THAT(text(block_lines(compiled("hyper_connections_static"), 1)), Contains("t3 = t2 @ h"));
}

TEST(ProgramText, WritesWhatIsSpecialInABranch) {
  EXPECT_THAT(text(block_lines(compiled("ngpt"), 0)),
              Contains("t7 = A(x, qk_norm=unit, scale=2, qk_gain=t6) | attn.branch"));
  EXPECT_THAT(text(block_lines(compiled("hybrid_norm"), 0)),
              Contains("t1 = A(x, qk_norm=head, v_norm=head) | attn.branch"));
  EXPECT_THAT(text(block_lines(compiled("normformer"), 0)),
              Contains("t2 = A(t1, head_scale=after) | attn.branch"));
  EXPECT_THAT(text(block_lines(compiled("gemma2"), 0)),
              Contains("t1 = RMS(x, eps=1e-06, offset=1) | attn.norm_in attn.branch_in"));
}

TEST(ProgramText, WritesTheOptionsOfNormsInsideABranch) {
  const Program program =
      compile(written("x + F(x, qk_norm=heads(eps=0.5), v_norm=head(offset=1))"), kSizes);
  EXPECT_EQ(block_lines(program, 0)[0].instruction,
            "t1 = A(x, qk_norm=heads(eps=0.5), v_norm=head(offset=1))");
}

TEST(ProgramText, GathersBlocksThatDifferInNumbersOnly) {
  const auto ranges = [](const char* name) {
    std::vector<std::pair<int, int>> result;
    for (const BlockRange& range : block_ranges(compiled(name, 8))) {
      result.emplace_back(range.first, range.last);
    }
    return result;
  };
  EXPECT_THAT(ranges("lns"), ElementsAre(std::pair(0, 7)));
  EXPECT_THAT(ranges("resi_dual"), ElementsAre(std::pair(0, 7)));
  EXPECT_THAT(ranges("mix_ln"), ElementsAre(std::pair(0, 1), std::pair(2, 7)));
}

TEST(ProgramText, SaysWhereNormsSit) {
  EXPECT_THAT(norm_lines(compiled("post_ln"), 1),
              ElementsAre("attn.norm on the stream", "ff.norm on the stream"));
  EXPECT_THAT(
      norm_lines(compiled("peri_ln"), 1),
      ElementsAre("attn.norm_in on what the branch reads",
                  "attn.norm_out on what the branch returns", "ff.norm_in on what the branch reads",
                  "ff.norm_out on what the branch returns"));
  EXPECT_THAT(norm_lines(compiled("sub_ln"), 1),
              ElementsAre("attn.norm on what the branch reads", "attn.norm_mid before W_o",
                          "ff.norm on what the branch reads", "ff.norm_mid before W_down"));
  EXPECT_THAT(outer_norm_lines(compiled("pre_ln")), ElementsAre("final_norm"));
}

TEST(ParameterCount, CountsWhatABlockLearns) {
  const int d = 8, ff = 16;
  const int attention = 4 * (d * d + d), feed_forward = d * ff + ff + ff * d + d, norm = 2 * d;
  const Program program = compiled("pre_ln");
  EXPECT_EQ(parameter_count(program, kSizes, {}, "blocks.1."), attention + feed_forward + 2 * norm);
  EXPECT_EQ(parameter_count(program, kSizes, {}), 3 * (attention + feed_forward + 2 * norm) + norm);
  LinearLayers plain;
  plain.gated = true;
  plain.attention_bias = plain.ff_bias = plain.norm_bias = false;
  EXPECT_EQ(parameter_count(program, kSizes, plain, "blocks.1."), 4 * d * d + 3 * d * ff + 2 * d);
}

TEST(ParameterCount, CountsNormsInsideBranchesAndLearnedTensors) {
  const Program plain = compiled("residual_only");
  const auto more = [&](const char* name) {
    return parameter_count(compiled(name), kSizes, {}, "blocks.0.") -
           parameter_count(plain, kSizes, {}, "blocks.0.");
  };
  EXPECT_EQ(more("skipinit"), 2);
  EXPECT_EQ(more("sub_ln"), 2 * 16 + 16 + 32);
  EXPECT_EQ(more("hybrid_norm"), 3 * 4 + 8) << "q, k, v per head, and one RMS";
  EXPECT_EQ(more("normformer"), 3 * 16 + 32 + 2) << "a number a head";
}

TEST(BlockText, TellsTheValuesOfConstants) {
  const auto lines =
      block_text(find_block("deepnorm", {}), {.depth = 6, .width = 8, .heads = 2}, 100);
  EXPECT_THAT(lines, Contains(HasSubstr("alpha = (2*L)^(1/4) = 1.86121")));
  EXPECT_THAT(lines, Contains(HasSubstr("v, o, up, down, gate = beta = 0.379918")));
  const auto changing = block_text(find_block("ds_init", {}), kSizes, 100);
  EXPECT_THAT(changing, Contains(HasSubstr("g = 1/sqrt(l) = 1 … 0.57735")));
}

TEST(BlockText, CountsASharedNormOnce) {
  const auto lines = block_text(written("x + F(LN(x, scope=stack), mid_norm=LN)"), kSizes, 100);
  EXPECT_THAT(lines, testing::Contains("  norms      7"));
}

TEST(BlockText, KeepsItsColumns) {
  for (const Block& block : catalogue()) {
    for (const std::string& line : block_text(block, kSizes, 60)) {
      EXPECT_LE(line.size(), 64u) << block.name << ": " << line;
    }
  }
}

TEST(BlockText, NamesThePartsOfAMix) {
  EXPECT_EQ(equation_text(find_block("mix_ln", {})), "floor(L/4) of post_ln, then pre_ln");
}

TEST(ParameterCount, KnowsWhetherNHasABias) {
  Block block;
  block.equation.text = "x + F(N(x))";
  const Program program = compile(block, kSizes);
  const auto count = [&](bool rms_norm) {
    return parameter_count(program, kSizes, {.rms_norm = rms_norm}, "blocks.0.attn.norm");
  };
  EXPECT_EQ(count(false), 2 * kSizes.width);
  EXPECT_EQ(count(true), kSizes.width);
}

}  // namespace
}  // namespace layerlab::equation
