#include "core/table_reader.h"

#include <gtest/gtest.h>

#include "tests/support/user_error.h"

namespace layerlab {
namespace {

enum class Color { kRed, kGreen };
std::array<std::string_view, 2> enum_names(Color) { return {"red", "green"}; }

// What reading `text` as [model] says about `field`.
template <typename Field, typename... Constraint>
std::string reading(const std::string& text, Field field, const Constraint&... constraint) {
  const TomlNode root = parse_toml_text("[model]\n" + text, "demo.toml");
  return refusal([&] {
    TableReader reader(*root.find("model"), "model");
    reader.read("width", field, constraint...);
    reader.finish();
  });
}

TEST(TableReader, ReadsEachTypeAndLeavesDefaultsAlone) {
  const TomlNode root =
      parse_toml_text("n = 3\nx = 0.5\nwhole = 2\npair = [0, 0.5]\ns = 'a'\nc = 'green'\n", "t");
  TableReader reader(root, "");
  int n = 0, absent = 7;
  double x = 0, whole = 0;
  std::array<double, 2> pair{};
  std::string s;
  Color c = Color::kRed;
  EXPECT_TRUE(reader.read("n", n, from_to(1, 9)));
  EXPECT_FALSE(reader.read("absent", absent, from_to(1, 9)));
  EXPECT_TRUE(reader.read("x", x, above(0)));
  EXPECT_TRUE(reader.read("whole", whole, above(0)));
  EXPECT_TRUE(reader.read("pair", pair, from_below(0, 1)));
  EXPECT_TRUE(reader.read("s", s));
  EXPECT_TRUE(reader.read("c", c));
  reader.finish();
  EXPECT_EQ(n, 3);
  EXPECT_EQ(absent, 7);
  EXPECT_EQ(x, 0.5);
  EXPECT_EQ(whole, 2.0);
  EXPECT_EQ(pair, (std::array<double, 2>{0, 0.5}));
  EXPECT_EQ(s, "a");
  EXPECT_EQ(c, Color::kGreen);
}

TEST(TableReader, RefusesTheWrongType) {
  EXPECT_EQ(reading("width = \"wide\"", 32, from_to(1, 65536)),
            "demo.toml:2:9: model.width must be an integer from 1 to 65536, got \"wide\"; "
            "write for example width = 32");
  EXPECT_EQ(reading("width = 32.0", 32, from_to(1, 65536)),
            "demo.toml:2:9: model.width must be an integer from 1 to 65536, got 32.0; "
            "write for example width = 32");
  EXPECT_EQ(reading("width = true", 0.5, above(0)),
            "demo.toml:2:9: model.width must be a number above 0, got true; "
            "write for example width = 0.5");
  EXPECT_EQ(reading("width = { a = 1 }", std::string()),
            "demo.toml:2:9: model.width must be a string, got a table");
}

TEST(TableReader, RefusesValuesOutOfRange) {
  EXPECT_EQ(reading("width = 0", 32, from_to(1, 65536)),
            "demo.toml:2:9: model.width must be an integer from 1 to 65536, got 0; "
            "write for example width = 32");
  EXPECT_EQ(reading("width = -1", 0.0, at_least(0)),
            "demo.toml:2:9: model.width must be a number of at least 0, got -1; "
            "write for example width = 0.0");
  EXPECT_EQ(reading("width = nan", 0.0, at_least(0)),
            "demo.toml:2:9: model.width must be a number of at least 0, got nan; "
            "write for example width = 0.0");
  EXPECT_EQ(reading("width = inf", 1.0, above(0)),
            "demo.toml:2:9: model.width must be a number above 0, got inf; "
            "write for example width = 1.0");
  EXPECT_EQ(reading("width = [0.9, 1]", std::array{0.9, 0.98}, from_below(0, 1)),
            "demo.toml:2:9: model.width must be two numbers from 0 to below 1, got [0.9, 1]; "
            "write for example width = [0.9, 0.98]");
  EXPECT_EQ(reading("width = [0.9]", std::array{0.9, 0.98}, from_below(0, 1)),
            "demo.toml:2:9: model.width must be two numbers from 0 to below 1, got [0.9]; "
            "write for example width = [0.9, 0.98]");
}

TEST(TableReader, RefusesUnknownNamesWithTheNearestOne) {
  EXPECT_EQ(reading("width = \"gren\"", Color::kRed),
            "demo.toml:2:9: model.width must be one of \"red\", \"green\", got \"gren\"; "
            "did you mean 'green'?");
  EXPECT_EQ(reading("width = \"xyzzy\"", Color::kRed),
            "demo.toml:2:9: model.width must be one of \"red\", \"green\", got \"xyzzy\"; "
            "write for example width = \"red\"");
  EXPECT_EQ(reading("width = 3", Color::kRed),
            "demo.toml:2:9: model.width must be one of \"red\", \"green\", got 3; "
            "write for example width = \"red\"");
}

TEST(TableReader, RefusesUnknownKeysWhereTheyStand) {
  EXPECT_EQ(reading("width = 1\n  widht = 3", 32, from_to(1, 9)),
            "demo.toml:3:3: unknown key model.widht; did you mean 'width'?");
  EXPECT_EQ(reading("zzz = 3", 32, from_to(1, 9)),
            "demo.toml:2:1: unknown key model.zzz; known: width");
}

TEST(TableReader, TakesOnlyTrueAndFalseForABoolean) {
  const auto read = [](const std::string& text) {
    const TomlNode root = parse_toml_text("[model]\n" + text, "demo.toml");
    TableReader reader(*root.find("model"), "model");
    bool field = false;
    reader.read("tied", field);
    return field;
  };
  EXPECT_TRUE(read("tied = true"));
  EXPECT_FALSE(read("tied = false"));
  for (const char* other : {"1", "'true'", "[true]"}) {
    EXPECT_EQ(refusal([&] { read(std::string("tied = ") + other); })
                  .find("demo.toml:2:8: model.tied "
                        "must be true or false"),
              0u)
        << other;
  }
}

TEST(TableReader, RefusesMissingKeys) {
  const TomlNode root = parse_toml_text("\n[block]\n", "demo.toml");
  EXPECT_EQ(refusal([&] {
              TableReader(*root.find("block"), "block").require("equation", "\"x + F(x)\"");
            }),
            "demo.toml:2:2: block.equation is missing; write for example equation = \"x + F(x)\"");
}

TEST(TableReader, TellsOfAMisspeltKeyBeforeAMissingOne) {
  const TomlNode root = parse_toml_text("[block]\nname = 'a'\neqation = 'x'\n", "demo.toml");
  EXPECT_EQ(refusal([&] {
              TableReader(*root.find("block"), "block").require("equation", "\"x + F(x)\"");
            }),
            "demo.toml:3:1: unknown key block.eqation; did you mean 'equation'?");
}

TEST(TableReader, RefusesAValueInPlaceOfATable) {
  const TomlNode root = parse_toml_text("model = 3", "demo.toml");
  EXPECT_EQ(refusal([&] { TableReader(*root.find("model"), "model"); }),
            "demo.toml:1:9: model must be a table, got 3; write [model] and its keys below");
}

}  // namespace
}  // namespace layerlab
