#include "conform/contents.h"

#include <gtest/gtest.h>

#include "tests/support/numbers.h"

namespace layerlab::conform {
namespace {

TEST(Contents, ParametersAreWhatNoOtherNameIs) {
  EXPECT_TRUE(is_parameter("blocks.0.attn.q.weight"));
  EXPECT_TRUE(is_parameter("stream_emb"));
  EXPECT_TRUE(is_parameter("enc.final_norm.bias"));
  for (const char* name : {"input", "input_ids", "memory", "output", "loss", "loss_weight",
                           "final_hidden", "grad.blocks.0.attn.q.weight", "block_in.0",
                           "dec.block_out.1", "block_in_dual.2", "at.0.attn.branch"}) {
    EXPECT_FALSE(is_parameter(name)) << name;
  }
}

TEST(Contents, PeersNamesAreTranslatedAtTheirEnd) {
  EXPECT_EQ(our_name("blocks.1.attn.res.residual_scale"), "blocks.1.attn.omega");
  EXPECT_EQ(our_name("embed.token.weight"), "embedding.token");
  EXPECT_EQ(our_name("dec.blocks.0.ff.up.weight"), "dec.blocks.0.ff.up.weight");
  EXPECT_EQ(our_name("blocks.0.attn.my_pre_tanh_scale"), "blocks.0.attn.my_pre_tanh_scale");
}

TEST(Contents, PlacesAreFoundBySide) {
  const auto file = zeros({{"enc.block_in.0", {1}},
                           {"dec.block_out.12", {1}},
                           {"grad.enc.block_in.0", {1}},
                           {"block_in.0", {1}},
                           {"at.3.ff.branch_in", {1}}},
                          {});
  const auto encoder = places_of(file, "enc.");
  ASSERT_EQ(encoder.size(), 1);
  EXPECT_EQ(encoder[0].name, "enc.block_in.0");
  EXPECT_EQ(encoder[0].kind, "block_in");
  const auto decoder = places_of(file, "dec.");
  ASSERT_EQ(decoder.size(), 1);
  EXPECT_EQ(decoder[0].layer, 12);
  const auto alone = places_of(file, "");
  ASSERT_EQ(alone.size(), 2);
  EXPECT_EQ(alone[0].kind, "at");
  EXPECT_EQ(alone[0].layer, 3);
  EXPECT_EQ(alone[0].rest, "ff.branch_in");
}

}  // namespace
}  // namespace layerlab::conform
