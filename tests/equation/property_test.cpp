// Whatever is written, it compiles to a sound program or is refused with a place.

#include <gtest/gtest.h>

#include <set>

#include "equation/block_text.h"
#include "equation/block_toml.h"
#include "equation/program.h"
#include "tests/equation/random_blocks.h"

namespace layerlab::equation {
namespace {

constexpr int kCases = 4000;

void expect_sound(const Program& program, int depth) {
  std::set<int> written = {0};
  for (const Instruction& instruction : program.instructions) {
    for (const int reg : instruction.in) EXPECT_TRUE(written.contains(reg));
    EXPECT_TRUE(written.insert(instruction.out).second);
    EXPECT_LT(instruction.out, program.registers);
  }
  EXPECT_TRUE(written.contains(program.output));
  for (const Tap& tap : program.taps) EXPECT_TRUE(written.contains(tap.reg));
  EXPECT_EQ(program.block_begins.size(), depth + 1u);
}

// Counts what compiles, so that a test of refusals alone would be noticed.
int check(const Block& block, bool cross) {
  const Sizes sizes = {.depth = 2, .width = 8, .heads = 2, .ff = 16, .cross = cross};
  try {
    const Program program = compile(block, sizes);
    expect_sound(program, sizes.depth);
    EXPECT_FALSE(block_text(block, sizes, 80).empty());
    const TomlNode tree = to_tree(block);
    EXPECT_EQ(to_toml(to_tree(read_block("", tree))), to_toml(tree));
    return 1;
  } catch (const UserError& error) {
    EXPECT_FALSE(error.place().file.empty()) << error.what();
    EXPECT_GE(error.place().line, 1) << error.what();
    EXPECT_GE(error.place().column, 1) << error.what();
    return 0;
  }
}

TEST(RandomEquations, CompileOrAreRefusedWithAPlace) {
  int compiled = 0;
  for (int number = 0; number < kCases; ++number) {
    SCOPED_TRACE(number);
    compiled += check(RandomBlocks(number).likely(), number % 3 == 0);
  }
  EXPECT_GT(compiled, kCases / 100);
}

TEST(RandomGarbage, IsRefusedWithAPlace) {
  for (int number = 0; number < kCases; ++number) {
    SCOPED_TRACE(number);
    check(RandomBlocks(number).garbage(), false);
  }
}

}  // namespace
}  // namespace layerlab::equation
