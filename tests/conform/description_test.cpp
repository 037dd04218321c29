#include "conform/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/support/numbers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::conform {
namespace {

using Metadata = std::map<std::string, std::string>;

record::SafeTensors file(Metadata metadata,
                         const std::map<std::string, std::vector<std::int64_t>>& tensors = {}) {
  metadata.insert({{"heads", "2"}, {"eps", "1e-06"}, {"causal", "True"}, {"activation", "relu"}});
  return zeros(tensors, std::move(metadata));
}

std::string value(const TomlNode& description, const std::string& path) {
  const TomlNode* node = find_path(description, path);
  return node == nullptr ? "" : to_toml_value(*node);
}

TEST(Description, MetadataSetTheModel) {
  const TomlNode description = describe(file({{"variant", "post"}}), "f");
  EXPECT_EQ(value(description, "model.heads"), "2");
  EXPECT_EQ(value(description, "model.norm_eps"), "1e-06");
  EXPECT_EQ(value(description, "model.kind"), "\"decoder\"");
  EXPECT_EQ(value(description, "model.activation"), "\"relu\"");
  EXPECT_EQ(value(description, "block.equation"), "\"LN(x + F(x))\"");
}

TEST(Description, WhatAVariantNeedsComesFromTheMetadata) {
  const auto description = describe(file({{"variant", "deepnorm"}, {"alpha", "1.25"}}), "f");
  EXPECT_EQ(value(description, "block.const.alpha"), "\"1.25\"");
  EXPECT_THAT(
      [] {
        describe(file({{"variant", "deepnorm"}}), "f");
      },
      throws_user_error("f: expected metadata `alpha`"));
}

TEST(Description, AParameterCanTellVariantsApart) {
  const auto plain = describe(file({{"variant", "output_norm"}}), "f");
  EXPECT_EQ(value(plain, "block.equation").find("qk_norm"), std::string::npos);
  const auto normed =
      describe(file({{"variant", "output_norm"}}, {{"blocks.0.attn.q_norm.weight", {4}}}), "f");
  EXPECT_NE(value(normed, "block.equation").find("qk_norm"), std::string::npos);
}

TEST(Description, TheFinalNormIsWhatTheMetadataSay) {
  EXPECT_EQ(
      value(describe(file({{"variant", "pre"}, {"final_norm", "True"}}), "f"), "block.finish"),
      "\"LN(x)\"");
  EXPECT_EQ(
      value(describe(file({{"block", "pre_ln"}, {"final_norm", "False"}}), "f"), "block.finish"),
      "\"\"");
}

TEST(Description, AFileCanBringItsOwnBlock) {
  const auto description = describe(file({{"block", "equation = \"x + 0.5*F(x)\""}}), "f");
  EXPECT_EQ(value(description, "block.equation"), "\"x + 0.5*F(x)\"");
}

TEST(Description, AFileCanNameABlock) {
  EXPECT_EQ(value(describe(file({{"block", "pre_ln"}}), "f"), "block.equation"),
            "\"x + F(LN(x))\"");
  EXPECT_THAT([] { describe(file({{"block", "pre_lm"}}), "f"); }, throws_user_error("pre_ln"));
}

TEST(Description, TheUsersWordCountsMoreThanTheFiles) {
  const auto block = describe(file({{"variant", "post"}}), "f", {"residual_only", ""});
  EXPECT_EQ(value(block, "block.equation"), "\"x + F(x)\"");
  EXPECT_EQ(value(block, "model.heads"), "2");

  TemporaryFolder folder;
  const std::string path = folder / "mine.toml";
  write_file_atomically(path, "[model]\nheads = 4\n[block]\nequation = \"F(LN(x))\"\n");
  const auto config =
      describe(file({{"variant", "post"}, {"final_norm", "True"}}), "f", {"", path});
  EXPECT_EQ(value(config, "block.equation"), "\"F(LN(x))\"");
  EXPECT_EQ(value(config, "block.finish"), "") << "a block of one's own is whole";
  EXPECT_EQ(value(config, "model.heads"), "4");
  EXPECT_EQ(value(config, "model.norm_eps"), "1e-06");
}

TEST(Description, NumbersOfTheMetadataAreComparedAsNumbers) {
  for (const char* text : {"10000.0", "10000", "1e4"}) {
    const auto description = describe(file({{"variant", "post"}, {"rope_theta", text}}), "f");
    EXPECT_EQ(value(description, "model.positions"), "\"rotary\"") << text;
  }
  EXPECT_THAT(refusal([] {
                describe(file({{"variant", "post"}, {"rope_theta", "500000.0"}}), "f");
              }),
              testing::HasSubstr("unknown rope_theta '500000.0' in the metadata"));
}

TEST(Description, AnUnknownBlockIsBlamedOnWhoNamedIt) {
  EXPECT_THAT(refusal([] {
                describe(file({{"variant", "post"}}), "f", {"pre_nl", ""});
              }),
              testing::StartsWith("--block: expected a block's name, got 'pre_nl'"));
  EXPECT_THAT(refusal([] {
                describe(file({{"block", "pre_nl"}}), "f");
              }),
              testing::StartsWith("f: expected a block's name, got 'pre_nl'"));
}

TEST(Description, AConfigOfARunIsRefused) {
  TemporaryFolder folder;
  const std::string path = folder / "run.toml";
  for (const char* section : {"[grid]\nseed = \"1..5\"\n", "[train]\nlr = 0.1\n"}) {
    write_file_atomically(path, std::string(section) + "[block]\nequation = \"F(x)\"\n");
    EXPECT_THAT(refusal([&] {
                  describe(file({{"variant", "post"}}), "f", {"", path});
                }),
                testing::HasSubstr("run.toml:1:2: expected [model] and [block] only, got "));
  }
}

TEST(Description, UnknownWordsAreRefusedWithWhatIsMeant) {
  EXPECT_THAT(
      [] {
        describe(file({{"variant", "posst"}}), "f");
      },
      throws_user_error("unknown variant 'posst' in the metadata; did you mean 'post'?"));
  EXPECT_THAT([] { describe(file({}), "f"); }, throws_user_error("--block"));
  EXPECT_THAT(
      [] {
        describe(file({{"variant", "post"}, {"norm", "layernorms"}}), "f");
      },
      throws_user_error("unknown norm 'layernorms' in the metadata; did you mean 'layernorm'?"));
}

}  // namespace
}  // namespace layerlab::conform
