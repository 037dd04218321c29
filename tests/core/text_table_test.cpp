#include "core/text_table.h"

#include <gtest/gtest.h>

namespace layerlab {
namespace {

TextTable two_rows() {
  TextTable table;
  table.columns = {{"claim"},
                   {.title = "source", .begins_line = true},
                   {.title = "verdict", .begins_line = true},
                   {.title = "runs", .right = true}};
  table.rows = {{{"learns"}, {"Müller 2020"}, {"YES", "\033[32m"}, {"3"}},
                {{"stalls_for_good"}, {""}, {"NO"}, {"12"}}};
  return table;
}

TEST(TextTable, AlignsItsColumnsByWhatIsSeen) {
  EXPECT_EQ(to_text(two_rows(), {.width = 43}),
            "claim            source       verdict  runs\n"
            "learns           Müller 2020  YES         3\n"
            "stalls_for_good               NO         12\n");
}

TEST(TextTable, BreaksRowsWhereColumnsBeginALine) {
  EXPECT_EQ(to_text(two_rows(), {.width = 42}),
            "claim\n  source\n  verdict  runs\n"
            "learns\n  Müller 2020\n  YES         3\n"
            "stalls_for_good\n  NO         12\n");
}

TEST(TextTable, BreaksRowsWhereverTheyAreStillTooLong) {
  TextTable table = two_rows();
  for (TextColumn& column : table.columns) column.begins_line = false;
  EXPECT_EQ(to_text(table, {.width = 30}),
            "claim            source\n  verdict  runs\n"
            "learns           Müller 2020\n  YES         3\n"
            "stalls_for_good\n  NO         12\n");
}

TEST(TextTable, ColoursCellsWithTheirPadding) {
  EXPECT_EQ(to_text(two_rows(), {.width = 43, .colour = true}),
            "claim            source       verdict  runs\n"
            "learns           Müller 2020  \033[32mYES    \033[0m     3\n"
            "stalls_for_good               NO         12\n");
}

TEST(TextTable, IsATableOfMarkdown) {
  EXPECT_EQ(to_markdown(two_rows()),
            "| claim | source | verdict | runs |\n|---|---|---|---:|\n"
            "| learns | Müller 2020 | YES | 3 |\n| stalls_for_good | | NO | 12 |\n");
}

TEST(TextTable, WrapsItsLastColumnToTheWidth) {
  TextTable table;
  table.columns = {{""}, {.title = "", .wraps = true}};
  table.rows = {{"copy", "repeats what it reads, in the same order"}, {"sort", "puts it in order"}};
  EXPECT_EQ(to_text(table, {.width = 30, .indent = 2}),
            "  copy  repeats what it reads,\n"
            "        in the same order\n"
            "  sort  puts it in order\n");
}

TEST(TextTable, PrintsARowOfOneCellAsAHeading) {
  TextTable table;
  table.columns = {{"quantity"}, {"stated"}};
  table.rows = {{"Example 1, whatever its length is"}, {"norm", "1.7"}};
  EXPECT_EQ(to_text(table, {.indent = 2}),
            "  quantity  stated\nExample 1, whatever its length is\n  norm      1.7\n");
}

TEST(TextTable, ShowsNoControlCharacters) {
  TextTable table;
  table.columns = {{"id"}, {"verdict"}};
  table.rows = {{"a\033[2J\nb", "NO"}};
  EXPECT_EQ(to_text(table, {}), "id           verdict\na\\x1b[2J\\nb  NO\n");
}

}  // namespace
}  // namespace layerlab
