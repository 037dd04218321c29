#include "config/search.h"

#include <gtest/gtest.h>

#include "tests/support/user_error.h"

namespace layerlab::config {
namespace {

std::optional<Search> read(const std::string& text) {
  const TomlNode root = parse_toml_text("[search]\n" + text, "demo.toml");
  return read_search(root.find("search"));
}

std::string reading(const std::string& text) {
  return refusal([&] { read(text); });
}

const std::string kPasses = "passes = 'final(1)'\n";

TEST(Search, IsReadWithEveryKey) {
  const Search search = *read("key = 'train.lr'\nvalues = [1e-3, 2e-3, 1]\n" + kPasses);
  EXPECT_EQ(search.key, "train.lr");
  ASSERT_EQ(search.values.size(), 3u);
  EXPECT_EQ(as_number(search.values[2]), 1.0);
  EXPECT_EQ(search.passes, "final(1)");
  EXPECT_EQ(search.passes_place.text(), "demo.toml:4:11");
}

TEST(Search, TakesARangeOfIntegers) {
  EXPECT_EQ(read("key = 'model.depth'\nvalues = '1..12'\n" + kPasses)->values.size(), 12u);
}

TEST(Search, IsNoneWithoutItsTable) { EXPECT_FALSE(read_search(nullptr)); }

TEST(Search, RefusesValuesThatDoNotAscend) {
  for (const std::string values : {"[2, 1]", "[1, 1]", "[1]", "['a', 'b']", "3", "[1, true]"}) {
    EXPECT_EQ(reading("key = 'train.lr'\nvalues = " + values + "\n" + kPasses),
              "demo.toml:3:10: search.values must be two or more numbers in ascending order; write "
              "for example values = [1e-3, 2e-3, 4e-3, 8e-3]")
        << values;
  }
}

TEST(Search, RefusesWhatIsNoSettingOfARun) {
  EXPECT_EQ(reading("key = 'train.lrr'\nvalues = [1, 2]\n" + kPasses),
            "demo.toml:2:8: unknown key train.lrr; did you mean 'train.lr'?");
  EXPECT_EQ(reading("key = 'seed'\nvalues = [1, 2]\n" + kPasses),
            "demo.toml:2:8: the largest seed that passes means nothing; search for a setting such "
            "as \"train.lr\"");
}

TEST(Search, RefusesMissingAndUnknownKeys) {
  EXPECT_EQ(reading("key = 'train.lr'\nvalues = [1, 2]\n"),
            "demo.toml:1:2: search.passes is missing; write for example passes = \"final('loss') / "
            "chance_loss() < 0.5\"");
  EXPECT_EQ(reading("key = 'train.lr'\nvalues = [1, 2]\nfrom = 1\n" + kPasses),
            "demo.toml:4:1: unknown key search.from; known: key, values, passes");
}

}  // namespace
}  // namespace layerlab::config
