#include "equation/block_toml.h"

#include <gtest/gtest.h>

#include "tests/support/user_error.h"

namespace layerlab::equation {
namespace {

Block read(const std::string& text) {
  return read_block("mine", parse_toml_text(text, "blocks.toml"));
}

TEST(BlockToml, ReadsEveryKey) {
  const Block block = read(
      "equation = 'u = F(x); y = y + u'\nstart = 'y = x'\nfinish = 'LN(y)'\n"
      "source = 'paper'\nsummary = 'two streams'\n");
  EXPECT_EQ(block.name, "mine");
  EXPECT_EQ(block.equation.text, "u = F(x); y = y + u");
  EXPECT_EQ(block.start.text, "y = x");
  EXPECT_EQ(block.finish.text, "LN(y)");
  EXPECT_EQ(block.source, "paper");
  EXPECT_EQ(block.summary, "two streams");
}

TEST(BlockToml, PointsAtTheFirstCharacterOfAnEquation) {
  EXPECT_EQ(read("equation = \"x + F(x)\"").equation.place.text(), "blocks.toml:1:13");
}

TEST(BlockToml, LetsTheEntryNameItself) {
  EXPECT_EQ(read("equation = 'F(x)'\nname = 'other'").name, "other");
}

TEST(BlockToml, ReadsBackWhatItWrites) {
  const Block block = read("equation = 'x + F(LN(x))'\nfinish = 'LN(x)'\nsource = 'paper'\n");
  const Block again = read_block("", to_tree(block));
  EXPECT_EQ(again.name, block.name);
  EXPECT_EQ(again.equation.text, block.equation.text);
  EXPECT_EQ(again.finish.text, block.finish.text);
  EXPECT_EQ(again.source, block.source);
}

TEST(BlockToml, RefusesAnEntryWithoutEquation) {
  EXPECT_EQ(refusal([] { read("finish = 'LN(x)'"); }),
            "blocks.toml: block.equation is missing; "
            "write for example equation = \"x + F(LN(x))\"");
}

TEST(BlockToml, RefusesUnknownKeys) {
  EXPECT_EQ(refusal([] { read("equation = 'F(x)'\nfinsh = 'LN(x)'"); }),
            "blocks.toml:2:1: unknown key block.finsh; did you mean 'finish'?");
}

TEST(BlockToml, RefusesAnEquationThatIsNoString) {
  EXPECT_EQ(refusal([] { read("equation = 3"); }),
            "blocks.toml:1:12: block.equation must be a string, got 3");
}

}  // namespace
}  // namespace layerlab::equation
