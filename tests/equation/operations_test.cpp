// The table of operations: each row can be called, shaped and printed.
#include "equation/operations.h"

#include <gtest/gtest.h>

#include "core/toml.h"
#include "equation/block_toml.h"
#include "equation/functions.h"
#include "equation/program_text.h"
#include "tests/equation/small_sizes.h"

namespace layerlab::equation {
namespace {

std::string printed(const std::string& equation) {
  const Block block = read_block("", parse_toml_text("equation = '" + equation + "'", "a.toml"));
  std::string text;
  for (const ProgramLine& line : block_lines(compile(block, sizes(1)), 0)) {
    text += line.instruction + "\n";
  }
  return text;
}

TEST(Operations, AreKnownByTheNamesOfTheirRows) {
  for (const Operation& row : kOperations) {
    if (row.name.empty()) continue;
    EXPECT_TRUE(is_function(std::string(row.name))) << row.name;
    EXPECT_EQ(find_operation(row.name), &row);
  }
  EXPECT_EQ(find_operation(""), nullptr) << "operators are no calls";
  EXPECT_EQ(find_operation("relu"), nullptr);
}

TEST(Operations, ThatNoModuleComputesHaveAShape) {
  for (const Operation& row : kOperations) {
    const bool module = row.op == Op::kNorm || row.op == Op::kBranch || row.op == Op::kGru ||
                        row.op == Op::kParameter;
    EXPECT_EQ(row.shape == nullptr, module) << static_cast<int>(row.op);
  }
}

TEST(Operations, PrintAsEquationsWriteThem) {
  const std::string text = printed(
      "h = repeat(x, 3); u = F(sum(outer(sum(T(h)), unit(x)))); x = 2*x/(1 + abs(u)) + "
      "h[1:][0]");
  for (const char* piece : {"repeat(x, 3)", "T(t1)", "outer(", "unit(x)", "sum(", "2 * x", "abs(",
                            " + 1\n", "/ t", "[1:]", "[0]", " + t"}) {
    EXPECT_NE(text.find(piece), std::string::npos) << piece << " in\n" << text;
  }
  EXPECT_NE(printed("GRU(F(x), x)").find("GRU(t1, x)"), std::string::npos);
}

}  // namespace
}  // namespace layerlab::equation
