#include "conform/mistakes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace layerlab::conform {
namespace {

TomlNode description() {
  return parse_toml_text(
      "[model]\nnorm_eps = 1e-5\nactivation = \"gelu\"\nheads = 2\n"
      "[block]\nequation = \"LN(alpha*x + F(x))\"\nconst = { alpha = \"2*L\" }\n",
      "test");
}

const Variation* find(const std::vector<Variation>& variations, const std::string& text) {
  const auto found = std::ranges::find(variations, text, &Variation::text);
  return found == variations.end() ? nullptr : &*found;
}

TEST(Mistakes, SayWhatTheyChangeAndWhatWasThere) {
  const auto all = variations(description());
  const Variation* eps = find(all, "eps = 1e-6 instead of 1e-05");
  ASSERT_NE(eps, nullptr);
  EXPECT_EQ(to_toml_value(*find_path(eps->description, "model.norm_eps")), "1e-06");
  EXPECT_EQ(to_toml_value(*find_path(eps->description, "model.activation")), "\"gelu\"");
}

TEST(Mistakes, WhatIsAlreadySoIsNotTried) {
  for (const Variation& variation : variations(description())) {
    EXPECT_FALSE(same_value(variation.description, description())) << variation.text;
    EXPECT_NE(variation.text.substr(0, 10), "eps = 1e-5");
    EXPECT_NE(variation.text, "gelu by erf");
  }
}

TEST(Mistakes, WhatComesToTheSameIsTriedOnce) {
  const auto all =
      variations(parse_toml_text("[block]\nequation = \"F(x)\"\nfinish = \"\"\n", "test"));
  EXPECT_NE(find(all, "Post-LN"), nullptr);
  EXPECT_EQ(find(all, "Post-LN without a final norm"), nullptr) << "there is none";
  EXPECT_NE(find(all, "Post-LN and a final norm"), nullptr);
}

TEST(Mistakes, PiecesOfTheEquationAreReplaced) {
  const auto all = variations(description());
  const Variation* branch = find(all, "alpha on the branch");
  ASSERT_NE(branch, nullptr);
  EXPECT_EQ(to_toml_value(*find_path(branch->description, "block.equation")),
            "\"LN(x + alpha*F(x))\"");
  EXPECT_EQ(find(all, "norms not divided by sqrt(l)"), nullptr) << "they are not divided";
}

}  // namespace
}  // namespace layerlab::conform
