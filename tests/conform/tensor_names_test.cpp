#include "conform/tensor_names.h"

#include <gtest/gtest.h>

#include "tests/support/numbers.h"

namespace layerlab::conform {
namespace {

TEST(TensorNames, ParametersAreWhatNoOtherNameIs) {
  EXPECT_TRUE(is_parameter("blocks.0.attn.q.weight"));
  EXPECT_TRUE(is_parameter("stream_emb"));
  EXPECT_TRUE(is_parameter("enc.final_norm.bias"));
  for (const char* name : {"input", "input_ids", "memory", "output", "loss", "loss_weight",
                           "final_hidden", "grad.blocks.0.attn.q.weight", "block_in.0",
                           "dec.block_out.1", "block_in_dual.2", "at.0.attn.branch"}) {
    EXPECT_FALSE(is_parameter(name)) << name;
  }
}

TEST(TensorNames, PeersNamesAreTranslatedAtTheirEnd) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(our_names("blocks.1.attn.res.residual_scale"), Names{"blocks.1.attn.omega"});
  EXPECT_EQ(our_names("embed.token.weight"), Names{"embedding.token"});
  EXPECT_EQ(our_names("dec.blocks.0.ff.up.weight"), Names{"dec.blocks.0.ff.up.weight"});
  EXPECT_EQ(our_names("blocks.0.attn.my_pre_tanh_scale"), Names{"blocks.0.attn.my_pre_tanh_scale"});
  EXPECT_EQ(our_names("enc.blocks.0.ff.suv"), (Names{"enc.blocks.0.ff.su", "enc.blocks.0.ff.sv"}));
}

TEST(TensorNames, PlacesAreFoundBySide) {
  const auto file = zeros({{"enc.block_in.0", {1}},
                           {"dec.block_out.12", {1}},
                           {"grad.enc.block_in.0", {1}},
                           {"block_in.0", {1}},
                           {"at.3.ff.branch_in", {1}}},
                          {});
  const auto encoder = sites_of(file, "enc.");
  ASSERT_EQ(encoder.size(), 1);
  EXPECT_EQ(encoder[0].name, "enc.block_in.0");
  EXPECT_EQ(encoder[0].kind, "block_in");
  const auto decoder = sites_of(file, "dec.");
  ASSERT_EQ(decoder.size(), 1);
  EXPECT_EQ(decoder[0].layer, 12);
  const auto alone = sites_of(file, "");
  ASSERT_EQ(alone.size(), 2);
  EXPECT_EQ(alone[0].kind, "at");
  EXPECT_EQ(alone[0].layer, 3);
  EXPECT_EQ(alone[0].rest, "ff.branch_in");
}

}  // namespace
}  // namespace layerlab::conform
