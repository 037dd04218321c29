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

TEST(Markdown, ShowsTextAsItIs) {
  EXPECT_EQ(markdown("a_b _c_ | <d> [1, 2] 3*4"), "a_b \\_c\\_ \\| \\<d> [1, 2] 3\\*4");
}

TEST(Wrapped, BreaksBetweenWords) {
  EXPECT_EQ(wrapped("Müller said so in 2020", 14), "Müller said so\n    in 2020\n");
  EXPECT_EQ(wrapped("incomprehensibility", 5), "incomprehensibility\n");
}

}  // namespace
}  // namespace layerlab
