#include "core/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "tests/support/user_error.h"

namespace layerlab {
namespace {

using ::testing::ElementsAre;

using ::testing::StartsWith;

TomlNode parse(std::string_view text) { return parse_toml_text(text, "demo.toml"); }

double round_trip(double value) {
  TomlNode root{TomlNode::Table{}, {}, {}, {}};
  set_path(root, "x", {value, {}, {}, {}});
  const TomlNode again = parse(to_toml(root));
  return std::get<double>(again.find("x")->value);
}

TEST(Toml, KeepsEveryBitOfADouble) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.1, 1e-9, 0.98, 1.0, -0.0, 1e22, 1.0 / 3, 123456789012345680.0,
                             Limits::denorm_min(), Limits::max(), Limits::infinity()}) {
    EXPECT_EQ(round_trip(value), value);
    EXPECT_EQ(std::signbit(round_trip(value)), std::signbit(value));
  }
  EXPECT_TRUE(std::isnan(round_trip(std::nan(""))));
}

TEST(Toml, WritesTheShortestDigits) {
  EXPECT_EQ(to_toml_value({0.1, {}, {}, {}}), "0.1");
  EXPECT_EQ(to_toml_value({3.0, {}, {}, {}}), "3.0");
  EXPECT_EQ(to_toml_value({1e-9, {}, {}, {}}), "1e-09");
}

TEST(Toml, ReadsBackWhatItWrites) {
  const std::string text =
      "title = \"a \\\"b\\\" é\\n\"\n"
      "on = true\n"
      "\n[model]\ndepth = 6\n"
      "\n[model.inner]\nbetas = [0.9, 0.98]\n"
      "\n[grid]\n\"train.warmup\" = [0, 200]\n"
      "\n[[claim]]\nid = \"a\"\nwhere = { \"model.block\" = \"post_ln\" }\n"
      "\n[[claim]]\nid = \"b\"\nwhere = {}\n";
  EXPECT_EQ(to_toml(parse(text)), text);
}

TEST(Toml, KeepsTheOrderOfTheFile) {
  const TomlNode root = parse("z = 1\na = 2\n[m]\n[b]\n");
  std::vector<std::string> names;
  for (const auto& [key, node] : std::get<TomlNode::Table>(root.value)) names.push_back(key);
  EXPECT_THAT(names, ElementsAre("z", "a", "m", "b"));
}

TEST(Toml, KnowsWhereKeysAndValuesStand) {
  const TomlNode root = parse("[model]\n  depth = 6\n");
  const TomlNode& depth = *find_path(root, "model.depth");
  EXPECT_EQ(depth.key_place.text(), "demo.toml:2:3");
  EXPECT_EQ(depth.place.text(), "demo.toml:2:11");
}

TEST(Toml, CountsColumnsInBytes) {
  const TomlNode root = parse("x = { \"é\" = 1, b = 2 }");
  EXPECT_EQ(find_path(root, "x.b")->place.column, 21);
}

TEST(Toml, KnowsWhereTheTextOfAStringBegins) {
  const TomlNode root = parse("a = \"x\"\nb = 'x'\nc = '''x'''\nd = \"\"\"\nx\"\"\"\ne = \"\"");
  EXPECT_EQ(root.find("a")->text_place.text(), "demo.toml:1:6");
  EXPECT_EQ(root.find("b")->text_place.text(), "demo.toml:2:6");
  EXPECT_EQ(root.find("c")->text_place.text(), "demo.toml:3:8");
  EXPECT_EQ(root.find("d")->text_place.text(), "demo.toml:5:1");
  EXPECT_EQ(root.find("e")->text_place.text(), "demo.toml:6:6");
}

TEST(Toml, RefusesWhatIsNotTomlWithACaret) {
  try {
    parse("a = 1\nb = [1, 2\nc = 3\n");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), StartsWith("demo.toml:3:1: not TOML: "));
    EXPECT_EQ(error.excerpt(), "c = 3\n^");
  }
}

TEST(Toml, CutsLongLinesInExcerpts) {
  try {
    parse("a = [" + std::string(1'000'000, ' ') + "?]");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.place().column, 1'000'006);
    EXPECT_LT(error.excerpt().size(), 300u);
  }
}

TEST(Toml, RefusesMoreThan64Levels) {
  const auto dotted = [](int parts, const std::string& end) {
    std::string text = "a";
    for (int i = 1; i < parts; ++i) text += " . \"b.\"";
    return text + end;
  };
  EXPECT_NO_THROW(parse(dotted(64, " = 1")));
  EXPECT_THAT(refusal([&] { parse("x = 1\n" + dotted(50'000, " = 1")); }),
              StartsWith("demo.toml:2:451: not usable TOML: more than 64 levels"));
  EXPECT_THAT([&] { parse("[" + dotted(50'000, "]")); }, throws_user_error("64 levels"));
  EXPECT_THAT([&] { parse("x = " + std::string(100'000, '[')); }, throws_user_error("64 levels"));
  std::string tables = "1";
  for (int i = 0; i < 40; ++i) tables = "{ a.b = " + tables + " }";
  EXPECT_THAT([&] { parse("x = " + tables); }, throws_user_error("64 levels"));
}

TEST(Toml, CountsNoLevelsInStringsAndComments) {
  const std::string dots(200, '.'), brackets(200, '[');
  const std::string texts[] = {
      "a = \"" + dots + "\\\"" + brackets + "\"",
      "a = '" + dots + brackets + "\\'",
      "a = \"\"\"\n" + dots + "\"\n" + brackets + "\"\"\"\"\"",
      "a = '''" + dots + "''" + brackets + "'''",
      "a = 1 # " + dots + brackets + "'\"\nb = [1.5, 2.5]",
  };
  for (const std::string& text : texts) {
    EXPECT_NO_THROW(parse(text)) << text;
  }
  std::string many = "a = [";
  for (int i = 0; i < 200; ++i) many += "{ b.c = 1.5 },\n";
  EXPECT_NO_THROW(parse(many + "]"));
}

TEST(Toml, KnowsPlacesOnALineOfAnyLength) {
  constexpr int kNumbers = 300'000;  // walking the line for each of them would take minutes
  std::string text = "x = [\"é\"";
  for (int i = 0; i < kNumbers; ++i) text += ", 1";
  const TomlNode root = parse(text + "]");
  const auto& array = std::get<TomlNode::Array>(root.find("x")->value);
  ASSERT_EQ(array.size(), kNumbers + 1u);
  EXPECT_EQ(array[1].place.column, 12);
  EXPECT_EQ(array.back().place.column, 12 + 3 * (kNumbers - 1));
}

TEST(Toml, RefusesDates) {
  EXPECT_EQ(refusal([] { parse("a = 2026-01-01"); }),
            "demo.toml:1:5: dates and times have no use here; write a string in quotes");
}

TEST(Toml, RefusesAMissingFile) {
  EXPECT_EQ(refusal([] { parse_toml_file("no/such.toml"); }),
            "no/such.toml: cannot be read: No such file or directory");
}

TEST(Toml, RefusesAFolder) {
  EXPECT_EQ(refusal([] { parse_toml_file("/"); }), "/: cannot be read: it is a folder");
}

TEST(TomlValue, IsTypedAsInAFile) {
  const Place place{"command line"};
  EXPECT_EQ(std::get<double>(parse_toml_value("1e-2", place).value), 0.01);
  EXPECT_EQ(std::get<std::int64_t>(parse_toml_value(" 7 ", place).value), 7);
  EXPECT_EQ(std::get<bool>(parse_toml_value("true", place).value), true);
  EXPECT_EQ(std::get<TomlNode::Array>(parse_toml_value("[1, 2]", place).value).size(), 2u);
  EXPECT_EQ(std::get<std::string>(parse_toml_value("\"7\"", place).value), "7");
}

TEST(TomlValue, TakesBareWordsAsStrings) {
  for (const char* text : {"pre_ln", "LN(x + F(x))", "u = F(x); y = y + u", "1..5", ""}) {
    EXPECT_EQ(std::get<std::string>(parse_toml_value(text, {}).value), text);
  }
}

TEST(TomlValue, StandsWhereItIsTold) {
  const TomlNode node = parse_toml_value("[1, 2]", Place{"command line"});
  EXPECT_EQ(std::get<TomlNode::Array>(node.value)[1].place.text(), "command line");
}

TEST(TomlValue, RefusesABrokenArray) {
  EXPECT_EQ(refusal([] { parse_toml_value("[1, 2", Place{"command line"}); }),
            "command line: cannot read the value [1, 2; "
            "quote a string as \"…\", close an array with ]");
}

TEST(SetPath, MakesTablesOnTheWayAndReplaces) {
  TomlNode root = parse("[model]\ndepth = 6\n");
  set_path(root, "model.depth", parse_toml_value("8", {}));
  set_path(root, "train.lr", parse_toml_value("0.5", {}));
  EXPECT_EQ(to_toml(root), "[model]\ndepth = 8\n\n[train]\nlr = 0.5\n");
}

TEST(SetPath, RefusesAPathThroughAValue) {
  TomlNode root = parse("model = 3\n");
  EXPECT_EQ(
      refusal([&] { set_path(root, "model.depth", parse_toml_value("8", Place{"command line"})); }),
      "command line: model is an integer, so model.depth cannot be set");
}

TEST(SetPath, RefusesMoreThan64Parts) {
  TomlNode root = parse("");
  std::string path = "a";
  for (int i = 1; i < 64; ++i) path += ".a";
  EXPECT_NO_THROW(set_path(root, path, parse_toml_value("8", {})));
  EXPECT_THAT([&] { set_path(root, path + ".a", parse_toml_value("8", {"command line"})); },
              throws_user_error("command line: a.a.a."));
}

TEST(ErasePath, RemovesOneKeyAndIgnoresAbsentOnes) {
  TomlNode root = parse("[model]\ndepth = 6\nwidth = 8\n");
  erase_path(root, "model.depth");
  erase_path(root, "model.heads");
  erase_path(root, "no.such");
  EXPECT_EQ(to_toml(root), "[model]\nwidth = 8\n");
}

TEST(SameValue, ComparesContentsNotKindsOfNumbersOrOrder) {
  EXPECT_TRUE(same_value(parse("a = 1\nb = [1, 2.5]"), parse("b = [1.0, 2.5]\na = 1.0")));
  EXPECT_FALSE(same_value(parse("a = 1"), parse("a = 2")));
  EXPECT_FALSE(same_value(parse("a = 1"), parse("a = '1'")));
  EXPECT_FALSE(same_value(parse("a = [1]"), parse("a = [1, 2]")));
  EXPECT_FALSE(same_value(parse("a = 1"), parse("b = 1")));
  EXPECT_FALSE(same_value(parse("a = true"), parse("a = false")));
}

}  // namespace
}  // namespace layerlab
