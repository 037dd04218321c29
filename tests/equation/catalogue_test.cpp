// The blocks that come with the program, against what their authors' code computes.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "equation/program.h"
#include "tests/equation/small_sizes.h"
#include "tests/support/user_error.h"

namespace layerlab::equation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kDigits = 5e-6;  // of the figures below

Program compiled(const std::string& name, int depth) {
  return compile(find_block(name, {}), sizes(depth));
}

Program encoder(const std::string& name, int encoder_depth, int decoder_depth) {
  Sizes pair = sizes(encoder_depth);
  pair.encoder_depth = encoder_depth;
  pair.decoder_depth = decoder_depth;
  return compile(on_side(find_block(name, {}), Side::kEncoder), pair);
}

Program decoder(const std::string& name, int encoder_depth, int decoder_depth) {
  Sizes pair = sizes(decoder_depth);
  pair.encoder_depth = encoder_depth;
  pair.decoder_depth = decoder_depth;
  pair.cross = true;
  return compile(on_side(find_block(name, {}), Side::kDecoder), pair);
}

// The numbers that tensors are multiplied by, in the program's order.
std::vector<double> scales(const Program& program) {
  std::vector<double> result;
  for (const Instruction& instruction : program.instructions) {
    if (instruction.op == Op::kScale) result.push_back(instruction.number);
  }
  return result;
}

const Branch& branch(const Program& program, const std::string& name) {
  return *std::ranges::find(program.branches, name, &Branch::name);
}

double gain(const Program& program, const std::string& name, const std::string& matrix) {
  const auto& gains = branch(program, name).gain;
  const auto found = gains.find(matrix);
  return found == gains.end() ? 1 : found->second;
}

const Parameter& parameter(const Program& program, const std::string& name) {
  return *std::ranges::find(program.parameters, name, &Parameter::name);
}

std::vector<std::string> norm_names(const Program& program) {
  std::vector<std::string> names;
  for (const Norm& norm : program.norms) names.push_back(norm.name);
  return names;
}

TEST(Catalogue, CompilesAtEveryDepth) {
  for (const Block& entry : catalogue()) {
    for (const int depth : {1, 2, 6, 24, 96}) {
      EXPECT_NO_THROW(compile(entry, sizes(depth)))
          << entry.name << " " << refusal([&] { compile(entry, sizes(depth)); });
    }
    EXPECT_FALSE(entry.source.empty()) << entry.name;
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_THAT(warnings(entry), IsEmpty()) << entry.name;
  }
}

// All but parallel blocks, which have no place for a third branch.
TEST(Catalogue, CompilesOnBothSidesOfAPair) {
  for (const Block& entry : catalogue()) {
    Sizes pair = sizes(6);
    pair.encoder_depth = 6;
    pair.decoder_depth = 12;
    EXPECT_EQ(refusal([&] { compile(on_side(entry, Side::kEncoder), pair); }), "") << entry.name;
    pair.depth = 12;
    pair.cross = true;
    const std::string line = refusal([&] { compile(on_side(entry, Side::kDecoder), pair); });
    if (entry.name == "gpt_j") {
      EXPECT_THAT(line, HasSubstr("expected a branch C"));
    } else {
      EXPECT_EQ(line, "") << entry.name;
    }
  }
}

TEST(Catalogue, SuggestsTheNearestBlock) {
  EXPECT_EQ(refusal([] {
              find_block("pre_nl", {"a.toml", 2, 9});
            }),
            "a.toml:2:9: expected a block's name, got 'pre_nl'; did you mean 'pre_ln'?");
}

TEST(DeepNorm, HasThePublishedConstantsInAStackOfItsOwn) {
  const struct {
    int depth;
    double alpha, beta;
  } published[] = {{6, 1.86121, 0.37992}, {12, 2.21336, 0.31947}, {100, 3.76060, 0.18803}};
  for (const auto& [depth, alpha, beta] : published) {
    const Program program = compiled("deepnorm", depth);
    for (const double scale : scales(program)) EXPECT_NEAR(scale, alpha, kDigits);
    EXPECT_NEAR(gain(program, "blocks.0.attn", "v"), beta, kDigits);
    EXPECT_NEAR(gain(program, "blocks.0.attn", "o"), beta, kDigits);
    EXPECT_NEAR(gain(program, "blocks.0.ff", "up"), beta, kDigits);
    EXPECT_NEAR(gain(program, "blocks.0.ff", "down"), beta, kDigits);
    EXPECT_EQ(gain(program, "blocks.0.attn", "q"), 1);
    EXPECT_EQ(gain(program, "blocks.0.attn", "k"), 1);
  }
}

TEST(DeepNorm, HasOtherConstantsOnTheSidesOfAPair) {
  const Program below = encoder("deepnorm", 12, 6);
  EXPECT_NEAR(scales(below)[0], 1.68622, kDigits);
  EXPECT_NEAR(gain(below, "blocks.0.attn", "v"), 0.418, 1e-3);
  for (const auto& [depth, alpha, beta] :
       {std::tuple{6, 2.05977, 0.34329}, {12, 2.44949, 0.28868}}) {
    const Program above = decoder("deepnorm", 12, depth);
    EXPECT_NEAR(scales(above)[0], alpha, kDigits);
    EXPECT_NEAR(gain(above, "blocks.0.cross", "v"), beta, kDigits);
    EXPECT_NEAR(gain(above, "blocks.0.cross", "o"), beta, kDigits);
  }
}

TEST(SubLn, HasThePublishedGains) {
  EXPECT_NEAR(gain(compiled("sub_ln", 6), "blocks.0.attn", "v"), 1.57636, kDigits);
  EXPECT_NEAR(gain(compiled("sub_ln", 12), "blocks.0.ff", "up"), 1.78271, kDigits);
  for (const auto& [depth, below, above] :
       {std::tuple{6, 1.54729, 1.70011}, {12, 1.94839, 1.89302}}) {
    EXPECT_NEAR(gain(encoder("sub_ln", depth, depth), "blocks.0.attn", "o"), below, kDigits);
    EXPECT_NEAR(gain(decoder("sub_ln", depth, depth), "blocks.0.attn", "o"), above, kDigits);
  }
  EXPECT_NEAR(gain(encoder("sub_ln", 2, 2), "blocks.0.attn", "v"), 0.90993, kDigits);
}

TEST(SubLn, LeavesCrossAttentionAlone) {
  const Program program = decoder("sub_ln", 6, 6);
  EXPECT_FALSE(branch(program, "blocks.0.cross").mid);
  EXPECT_TRUE(branch(program, "blocks.0.attn").mid);
  EXPECT_THAT(branch(program, "blocks.0.cross").gain, IsEmpty());
}

TEST(Lns, DividesByTheRootOfTheBlocksNumber) {
  const Program program = compiled("lns", 3);
  const double half = 1 / std::sqrt(2), third = 1 / std::sqrt(3);
  EXPECT_THAT(scales(program), ElementsAre(1, 1, half, half, third, third));
  EXPECT_EQ(program.instructions.back().op, Op::kNorm) << "the final norm is not scaled";
}

TEST(Gpt2, StartsTheLastMatricesSmallerInDeeperStacks) {
  const Program program = compiled("gpt2", 12);
  EXPECT_NEAR(branch(program, "blocks.3.attn").deviation.at("o"), 0.00408, kDigits);
  EXPECT_NEAR(branch(program, "blocks.3.ff").deviation.at("down"), 0.00408, kDigits);
  EXPECT_EQ(branch(program, "blocks.3.ff").deviation.at("up"), 0.02);
  EXPECT_EQ(program.embedding_deviation, 0.02);
}

TEST(B2t, ScalesAllWeightsByDepth) {
  EXPECT_NEAR(gain(compiled("b2t", 6), "blocks.0.attn", "q"), 0.408248, kDigits);
  EXPECT_NEAR(gain(compiled("b2t", 18), "blocks.0.ff", "down"), 0.235702, kDigits);
}

TEST(B2t, TakesTheSkipPastCrossAttention) {
  EXPECT_THAT(norm_names(decoder("b2t", 1, 1)),
              ElementsAre("blocks.0.attn.norm", "blocks.0.cross.norm", "blocks.0.ff.norm"));
}

TEST(Keel, CountsSublayers) {
  EXPECT_THAT(scales(compiled("keel", 2)), ElementsAre(4, 4, 4, 4));
  EXPECT_EQ(scales(decoder("keel", 2, 2))[0], 6) << "three sub-layers a block";
}

TEST(TFixup, ShrinksWeightsWithDepth) {
  const Program program = compiled("t_fixup", 16);
  EXPECT_NEAR(gain(program, "blocks.0.attn", "v"), 0.67 / 2, kDigits);
  EXPECT_NEAR(*program.embedding_deviation, std::pow(9 * 16, -0.25) / std::sqrt(8), kDigits);
  EXPECT_EQ(scales(program), std::vector<double>{std::sqrt(8)}) << "what the embedding is times";
  EXPECT_NEAR(gain(decoder("t_fixup", 6, 9), "blocks.0.cross", "o"), 1 / 3., kDigits);
}

TEST(DsInit, ShrinksWeightsFromBlockToBlock) {
  const Program program = compiled("ds_init", 4);
  EXPECT_EQ(gain(program, "blocks.0.attn", "q"), 1);
  EXPECT_EQ(gain(program, "blocks.3.ff", "down"), 0.5);
}

TEST(DeepScaleLm, KeepsTheVariance) {
  const std::vector<double> factors = scales(compiled("deepscale_lm", 5));
  EXPECT_NEAR(factors[0] * factors[0] + factors[1] * factors[1], 1, 1e-12);
  EXPECT_NEAR(factors[1] * factors[1], 0.2, 1e-12);
}

// What a unit variance becomes in D W_up, relu, ff W_down.
TEST(DeepScaleLm, KeepsTheVarianceThroughAReluOfAnyWidth) {
  for (const int ff : {8, 16, 32, 64}) {
    const Program program =
        compile(find_block("deepscale_lm", {}), {.depth = 5, .width = 8, .heads = 2, .ff = ff});
    const auto& deviation = branch(program, "blocks.0.ff").deviation;
    const double up = 8 * std::pow(deviation.at("up"), 2);
    EXPECT_NEAR(ff * std::pow(deviation.at("down"), 2) * up / 2, 1, 1e-12) << ff;
  }
  EXPECT_NEAR(*compiled("deepscale_lm", 5).embedding_deviation, std::sqrt(0.5), 1e-12)
      << "token and position add up to a unit variance";
}

// Gated, the feed-forward branch has three matrices.
TEST(Catalogue, ScalesTheGateWhereItScalesTheWholeFeedForward) {
  for (const char* name : {"b2t", "deepnorm", "sub_ln", "t_fixup", "ds_init"}) {
    const Program program = compiled(name, 5);
    EXPECT_EQ(gain(program, "blocks.4.ff", "gate"), gain(program, "blocks.4.ff", "up")) << name;
    EXPECT_NE(gain(program, "blocks.4.ff", "gate"), 1) << name;
  }
}

TEST(LayerScale, StartsSmallerInDeeperStacks) {
  for (const auto& [depth, init] :
       {std::pair{1, 0.1}, {18, 0.1}, {19, 1e-5}, {24, 1e-5}, {25, 1e-6}}) {
    const Program program = compiled("layer_scale", depth);
    EXPECT_THAT(parameter(program, "blocks.0.attn.layer_scale").init, testing::Each(init)) << depth;
  }
}

TEST(MixLn, IsPostLnInTheLowestQuarter) {
  const Program program = compiled("mix_ln", 12);
  const auto closes = [&](int layer) {  // whether the block ends with a norm
    const int last = program.block_begins[layer + 1].instruction - 1;
    return program.instructions[last].op == Op::kNorm;
  };
  for (int layer = 0; layer < 12; ++layer) EXPECT_EQ(closes(layer), layer < 3) << layer;
  EXPECT_EQ(program.norms.back().name, "final_norm");
}

TEST(HybridNormStar, IsPreLnInTheFirstBlockOnly) {
  const Program program = compiled("hybrid_norm_star", 3);
  EXPECT_THAT(norm_names(program),
              ElementsAre("blocks.0.attn.norm", "blocks.0.ff.norm", "blocks.1.ff.norm",
                          "blocks.2.ff.norm", "final_norm"));
  for (const Branch& part : program.branches) {
    EXPECT_EQ(part.v.has_value(), part.type == BranchType::kAttention);
  }
}

// What the peer begins with: sub-layer s reads stream s mod n, writes to all, mixes none.
TEST(HyperConnections, BeginAsPreLn) {
  for (const char* name : {"hyper_connections_static", "hyper_connections_dynamic"}) {
    const Program program = compiled(name, 1);
    EXPECT_THAT(parameter(program, "blocks.0.attn.static_alpha").init,
                ElementsAre(1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1));
    EXPECT_THAT(parameter(program, "blocks.0.ff.static_alpha").init,
                ElementsAre(0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1));
    EXPECT_THAT(parameter(program, "blocks.0.ff.static_beta").init, testing::Each(1));
  }
}

TEST(ReZero, SharesOneNumberInABlock) {
  const Program program = compiled("rezero", 2);
  ASSERT_EQ(program.parameters.size(), 2u);
  EXPECT_EQ(program.parameters[1].name, "blocks.1.alpha");
  EXPECT_EQ(compiled("skipinit", 2).parameters.size(), 4u);
}

}  // namespace
}  // namespace layerlab::equation
