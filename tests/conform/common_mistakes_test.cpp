#include "conform/common_mistakes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/numbers.h"

namespace layerlab::conform {
namespace {

TomlNode description() {
  return parse_toml_text(
      "[model]\nnorm_eps = 1e-5\nactivation = \"gelu\"\nheads = 2\n"
      "[block]\nequation = \"LN(alpha*x + F(x))\"\nconst = { alpha = \"2*L\" }\n",
      "test");
}

const Hypothesis* find(const std::vector<Hypothesis>& variations, const std::string& text) {
  const auto found = std::ranges::find(variations, text, &Hypothesis::text);
  return found == variations.end() ? nullptr : &*found;
}

TEST(CommonMistakes, SayWhatTheyChangeAndWhatWasThere) {
  const auto all = common_mistakes(description());
  const Hypothesis* eps = find(all, "eps = 1e-6 instead of 1e-05");
  ASSERT_NE(eps, nullptr);
  EXPECT_EQ(to_toml_value(*find_path(eps->description, "model.norm_eps")), "1e-06");
  EXPECT_EQ(to_toml_value(*find_path(eps->description, "model.activation")), "\"gelu\"");
}

TEST(CommonMistakes, SayWhatADescriptionComesToThatDoesNotNameIt) {
  const auto all = common_mistakes(parse_toml_text("[block]\nequation = \"F(x)\"\n", "test"));
  EXPECT_NE(find(all, "eps = 1e-6 instead of 1e-05"), nullptr);
  EXPECT_NE(find(all, "gelu by erf instead of \"relu\""), nullptr);
  for (const Hypothesis& hypothesis : all) EXPECT_NE(hypothesis.text.substr(0, 10), "eps = 1e-5");
}

TEST(CommonMistakes, SquareWeightsMayBeStoredTheOtherWay) {
  record::SafeTensors file = zeros({{"input", {1, 1, 2}},
                                    {"blocks.0.attn.q.weight", {2, 2}},
                                    {"blocks.1.attn.q.weight", {2, 2}},
                                    {"grad.blocks.1.attn.q.weight", {2, 2}},
                                    {"blocks.0.ff.up.weight", {3, 2}}},
                                   {});
  auto* values = reinterpret_cast<double*>(file.tensors.at("blocks.0.attn.q.weight").bytes.data());
  values[1] = 7;
  const auto all = transpositions(description(), file);
  const Hypothesis* every = find(all, "every attn.q.weight stored [in, out]");
  ASSERT_NE(every, nullptr);
  EXPECT_EQ(every->transposed,
            (std::vector<std::string>{"blocks.0.attn.q.weight", "blocks.1.attn.q.weight",
                                      "grad.blocks.1.attn.q.weight"}));
  EXPECT_NE(find(all, "blocks.1.attn.q.weight stored [in, out], but not its gradient"), nullptr);
  EXPECT_EQ(find(all, "blocks.0.ff.up.weight stored [in, out]"), nullptr) << "its shape tells";

  const record::SafeTensors turned = transposed(file, every->transposed);
  const auto* theirs =
      reinterpret_cast<const double*>(turned.tensors.at("blocks.0.attn.q.weight").bytes.data());
  EXPECT_EQ(theirs[1], 0);
  EXPECT_EQ(theirs[2], 7);
}

TEST(CommonMistakes, WhatIsAlreadySoIsNotTried) {
  for (const Hypothesis& hypothesis : common_mistakes(description())) {
    EXPECT_FALSE(same_value(hypothesis.description, description())) << hypothesis.text;
    EXPECT_NE(hypothesis.text.substr(0, 10), "eps = 1e-5");
    EXPECT_FALSE(hypothesis.text.starts_with("gelu by erf")) << hypothesis.text;
  }
}

TEST(CommonMistakes, WhatComesToTheSameIsTriedOnce) {
  const auto all =
      common_mistakes(parse_toml_text("[block]\nequation = \"F(x)\"\nfinish = \"\"\n", "test"));
  EXPECT_NE(find(all, "Post-LN"), nullptr);
  EXPECT_EQ(find(all, "Post-LN without a final norm"), nullptr) << "there is none";
  EXPECT_NE(find(all, "Post-LN and a final norm"), nullptr);
}

TEST(CommonMistakes, PiecesOfTheEquationAreReplaced) {
  const auto all = common_mistakes(description());
  const Hypothesis* branch = find(all, "alpha on the branch");
  ASSERT_NE(branch, nullptr);
  EXPECT_EQ(to_toml_value(*find_path(branch->description, "block.equation")),
            "\"LN(x + alpha*F(x))\"");
  EXPECT_EQ(find(all, "norms not divided by sqrt(l)"), nullptr) << "they are not divided";
}

}  // namespace
}  // namespace layerlab::conform
