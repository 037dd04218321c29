#include "conform/fixture.h"

#include <gtest/gtest.h>

#include "conform/description.h"
#include "conform/locate.h"
#include "conform/tensor_names.h"
#include "tests/support/numbers.h"
#include "tests/support/user_error.h"

namespace layerlab::conform {
namespace {

std::map<std::string, std::vector<std::int64_t>> small_shapes() {
  return {{"input", {1, 2, 4}},
          {"output", {1, 2, 4}},
          {"blocks.0.attn.q.weight", {4, 4}},
          {"blocks.0.ff.up.weight", {6, 4}},
          {"blocks.1.attn.q.weight", {4, 4}}};
}

Fixture fixture_of(const record::SafeTensors& file) {
  return make_fixture(describe(file, "f"), file, "f");
}

Fixture small(const std::map<std::string, std::vector<std::int64_t>>& more = {},
              std::map<std::string, std::string> metadata = {{"variant", "pre"}}) {
  auto shapes = small_shapes();
  shapes.insert(more.begin(), more.end());
  metadata.insert({"heads", "2"});
  return fixture_of(zeros(shapes, std::move(metadata)));
}

TEST(Fixture, SizesComeFromTheTensors) {
  const StackFixture side = small().main;
  EXPECT_EQ(side.sizes.depth, 2);
  EXPECT_EQ(side.sizes.width, 4);
  EXPECT_EQ(side.sizes.ff, 6);
  EXPECT_EQ(side.sizes.heads, 2);
  EXPECT_FALSE(side.sizes.cross);
}

TEST(Fixture, FlagsComeFromTheTensors) {
  const config::ModelConfig plain = small().main.model;
  EXPECT_FALSE(plain.attention_bias || plain.ff_bias || plain.norm_bias || plain.gated);
  const StackFixture rich = small({{"blocks.0.attn.o.bias", {4}},
                                   {"blocks.0.ff.down.bias", {4}},
                                   {"blocks.0.ff.gate.weight", {6, 4}},
                                   {"blocks.0.ff.norm_mid.bias", {6}},
                                   {"blocks.0.cross.q.weight", {4, 4}}})
                                .main;
  EXPECT_TRUE(rich.model.attention_bias && rich.model.ff_bias && rich.model.norm_bias &&
              rich.model.gated);
  EXPECT_TRUE(rich.sizes.cross);
}

TEST(Fixture, TheNormOfTheFileReplacesTheOneInTheText) {
  const StackFixture side = small({}, {{"variant", "sandwich"}, {"norm", "rmsnorm"}}).main;
  EXPECT_EQ(side.block.equation.text, "x + RMS_out(F(RMS_in(x)))");
}

TEST(Fixture, OptionsOfTheFilesNormAreAddedToThoseInTheText) {
  const auto file =
      zeros(small_shapes(), {{"heads", "2"},
                             {"norm", "rmsnorm with 1+w"},
                             {"block", "equation = \"LN_b(x + F(LN(x, eps=0), mid_norm=LN))\""}});
  EXPECT_EQ(fixture_of(file).main.block.equation.text,
            "RMS_b(x + F(RMS(x, eps=0, offset=1), mid_norm=RMS(offset=1)), offset=1)");
}

TEST(Fixture, APairIsTwoStacks) {
  auto shapes = std::map<std::string, std::vector<std::int64_t>>{
      {"input", {1, 2, 4}}, {"memory", {1, 3, 4}}, {"output", {1, 2, 4}}};
  for (const std::string side : {"enc.", "dec."}) {
    shapes[side + "blocks.0.attn.q.weight"] = {4, 4};
    shapes[side + "blocks.0.ff.up.weight"] = {6, 4};
  }
  shapes["dec.blocks.1.cross.q.weight"] = {4, 4};
  const Fixture pair =
      fixture_of(zeros(shapes, {{"variant", "post"}, {"heads", "2"}, {"causal", "True"}}));
  ASSERT_TRUE(pair.encoder.has_value());
  EXPECT_EQ(pair.encoder->model.kind, config::ModelKind::kEncoder);
  EXPECT_EQ(pair.encoder->sizes.depth, 1);
  EXPECT_FALSE(pair.encoder->sizes.cross);
  EXPECT_EQ(pair.main.model.kind, config::ModelKind::kDecoder);
  EXPECT_EQ(pair.main.sizes.depth, 2);
  EXPECT_TRUE(pair.main.sizes.cross);
  EXPECT_EQ(pair.main.sizes.encoder_depth, 1);
}

TEST(Fixture, WhatTheFileLacksIsNamed) {
  EXPECT_THAT(
      [] {
        fixture_of(zeros({}, {{"variant", "pre"}, {"heads", "2"}}));
      },
      throws_user_error("f: expected a tensor input"));
  EXPECT_THAT(
      [] {
        fixture_of(zeros(small_shapes(), {{"variant", "pre"}}));
      },
      throws_user_error("f: expected metadata `heads`"));
  auto shapes = small_shapes();
  shapes.erase("blocks.0.ff.up.weight");
  EXPECT_THAT(
      [&] {
        fixture_of(zeros(shapes, {{"variant", "pre"}, {"heads", "2"}}));
      },
      throws_user_error("blocks.0.ff.up.weight"));
}

TEST(Fixture, HeadsThatDoNotDivideTheWidthAreRefused) {
  const auto file = zeros(small_shapes(), {{"variant", "pre"}, {"heads", "3"}});
  EXPECT_EQ(refusal([&] { fixture_of(file); }),
            "f: expected heads to divide the width 4 of the tensors, got 3");
}

TEST(Fixture, ASizeThatContradictsTheTensorsIsRefused) {
  const auto file = zeros(small_shapes(), {{"variant", "pre"}, {"heads", "2"}});
  TomlNode description = describe(file, "f");
  set_path(description, "model.depth", parse_toml_value("2", {}));
  EXPECT_EQ(make_fixture(description, file, "f").main.sizes.depth, 2);
  set_path(description, "model.depth", parse_toml_value("6", {}));
  EXPECT_THAT([&] { make_fixture(description, file, "f"); },
              throws_user_error("model.depth is 6, but f has 2"));
}

TEST(Fixture, EveryGoldenFileIsUnderstoodAndEachOfItsPlacesFound) {
  int places = 0;
  for (const std::string& name : golden_names()) {
    SCOPED_TRACE(name);
    const record::SafeTensors file = record::read_safetensors(golden_file(name));
    Fixture fixture;
    ASSERT_NO_THROW(fixture = make_fixture(describe(file, name), file, name));
    std::vector<StackFixture> sides = {fixture.main};
    if (fixture.encoder) sides.push_back(*fixture.encoder);
    for (const StackFixture& side : sides) {
      const equation::Program program = equation::compile(side.block, side.sizes);
      for (const SiteName& place : sites_of(file, side.prefix)) {
        EXPECT_GE(locate(place, program), 0) << place.name;
        ++places;
      }
    }
  }
  EXPECT_GT(places, 400);
}

}  // namespace
}  // namespace layerlab::conform
