#include "core/text.h"

#include <gmock/gmock.h>

namespace layerlab {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

TEST(DisplayWidth, CountsColumnsInsteadOfBytes) {
  EXPECT_EQ(display_width("Müller ±3 …"), 11);
  EXPECT_EQ(display_width("層"), 2);
  EXPECT_EQ(display_width("e\u0301"), 1);  // a combining accent
  EXPECT_EQ(display_width("a\xffz"), 3);   // a byte that is not UTF-8
}

TEST(Visible, SpellsOutControlCharacters) {
  EXPECT_EQ(visible("a\033[31m\a\x7f"), "a\\x1b[31m\\x07\\x7f");
  EXPECT_EQ(visible("one\ntwo\r\t"), "one\\ntwo\\r\\t");
  EXPECT_EQ(visible("\u009b2J \u202egnp.exe \u2028 \ufeff"),
            "\\u009b2J \\u202egnp.exe \\u2028 \\ufeff");
  EXPECT_EQ(visible(std::string("\0", 1)), "\\x00");
}

TEST(Visible, SpellsOutBytesThatAreNotUtf8) {
  EXPECT_EQ(visible("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(visible("\xc0\x8a"), "\\xc0\\x8a");  // an overlong line break
}

TEST(Visible, LeavesTextAsItIs) {
  for (const std::string text : {"Müller's C:\\x1b, 層 👍 e\u0301", "\\n"}) {
    EXPECT_EQ(visible(text), text);
  }
}

TEST(Visible, ChangesNothingTheSecondTime) {
  const std::string once = visible("\033]0;title\a\xfe\u2066");
  EXPECT_EQ(visible(once), once);
}

TEST(Shortened, LosesItsMiddleBetweenCharacters) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("abcdefghijklmno", 12), "abcdef…mno");
  for (std::size_t bytes = 3; bytes < 20; ++bytes) {
    const std::string cut = shortened("äöüäöüäöüäöü", bytes);
    EXPECT_LE(cut.size(), bytes);
    EXPECT_EQ(visible(cut), cut);  // no character was divided
  }
}

TEST(CaretExcerpt, PutsTheCaretUnderTheCharacter) {
  EXPECT_EQ(caret_excerpt("ä = 層 1", 9), "ä = 層 1\n       ^");
  EXPECT_EQ(caret_excerpt("\ta\033b", 3), " a\\x1bb\n      ^");
  EXPECT_EQ(caret_excerpt("ab", 7), "ab\n  ^");
}

TEST(CaretExcerpt, ShowsWhatIsAroundTheCaretOfALongLine) {
  const std::string line = std::string(100'000, 'a') + "X" + std::string(100'000, 'b');
  const std::string excerpt = caret_excerpt(line, 100'000);
  EXPECT_LT(excerpt.size(), 250u);
  EXPECT_THAT(excerpt, HasSubstr("aXb"));
  EXPECT_EQ(excerpt.find('X') - std::string("…").size() + 1,
            excerpt.size() - excerpt.find('\n') - 2);
}

TEST(Wrap, BreaksBetweenWordsWithAnIndent) {
  EXPECT_THAT(wrap("one two three four", 14, 2), ElementsAre("one two three", "  four"));
  EXPECT_THAT(wrap("short", 14, 2), ElementsAre("short"));
  EXPECT_THAT(wrap("", 14, 2), ElementsAre(""));
}

TEST(Wrap, KeepsLongWordsWhole) {
  EXPECT_THAT(wrap("averyverylongword and more", 14, 2),
              ElementsAre("averyverylongword", "  and more"));
}

TEST(Wrap, MeasuresColumnsInsteadOfBytes) {
  EXPECT_THAT(wrap("Müller übte über", 16, 2), ElementsAre("Müller übte über"));
}

TEST(Wrap, KeepsBlanksInsideALine) {
  EXPECT_THAT(wrap("  gain    v = 1, w = 2", 16, 4), ElementsAre("  gain    v = 1,", "    w = 2"));
}

TEST(Markdown, ShowsTextAsItIs) {
  EXPECT_EQ(markdown("a_b _c_ | <d> [1, 2] 3*4"), "a_b \\_c\\_ \\| \\<d> [1, 2] 3\\*4");
  EXPECT_EQ(markdown("# 1"), "\\# 1");
}

TEST(Markdown, MakesNoLinks) {
  EXPECT_EQ(markdown("[x](javascript:a)"), "[x\\](javascript:a)");
  EXPECT_EQ(markdown("![i](http://a)"), "![i\\](http://a)");
  EXPECT_EQ(markdown("[x][y] [z]: u"), "[x\\][y] [z\\]: u");
}

TEST(Markdown, StaysOnItsLineAndShowsControls) {
  EXPECT_EQ(markdown("a\nb"), "a\\\\nb");
  EXPECT_THAT(markdown("\u202e&#x202e;"), EndsWith("u202e\\&#x202e;"));
}

}  // namespace
}  // namespace layerlab
