#include "core/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/user_error.h"

namespace layerlab {
namespace {

TEST(Json, KeepsTheOrderOfKeysThroughARoundTrip) {
  const std::string text = R"({"z":[1,2.5,true,null,"ä\n"],"a":{"b":[],"c":{}}})";
  EXPECT_EQ(to_json(parse_json(text, {}), JsonLayout::kCompact), text);
}

TEST(Json, TellsIntegersFromDoubles) {
  const JsonNode tree = parse_json("[9007199254740993, 1.0, 18446744073709551615]", {});
  const auto& items = *tree.get<JsonNode::Array>();
  EXPECT_EQ(*items[0].get<std::int64_t>(), 9007199254740993);  // 2^53 + 1: not a double
  EXPECT_EQ(*items[1].get<double>(), 1.0);
  EXPECT_EQ(*items[2].get<double>(), 0x1p64);
}

TEST(Json, KeepsDoublesExactly) {
  for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0}) {
    const JsonNode back = parse_json(to_json(value, JsonLayout::kCompact), {});
    ASSERT_NE(back.get<double>(), nullptr);
    EXPECT_EQ(*back.get<double>(), value);
  }
}

TEST(Json, WritesNullForWhatJsonCannotSay) {
  const JsonNode::Array values = {std::nan(""), std::numeric_limits<double>::infinity()};
  EXPECT_EQ(to_json(values, JsonLayout::kCompact), "[null,null]");
}

TEST(Json, IndentsForPeople) {
  const JsonNode::Object object = {{"a", 1}, {"b", JsonNode::Array{"x"}}};
  EXPECT_EQ(to_json(object, JsonLayout::kIndented),
            "{\n  \"a\": 1,\n  \"b\": [\n    \"x\"\n  ]\n}");
}

TEST(Json, FindsKeysAndAnswersNullForOthers) {
  const JsonNode tree = parse_json(R"({"a":1})", {});
  EXPECT_NE(tree.find("a"), nullptr);
  EXPECT_EQ(tree.find("b"), nullptr);
  EXPECT_EQ(tree.find("a")->find("a"), nullptr);
}

TEST(Json, RefusesWhatIsNotJsonAndSaysWhere) {
  EXPECT_THAT([] { parse_json(R"({"a":})", {"f.json"}); },
              throws_user_error("f.json: is not JSON (byte 6)"));
  EXPECT_THAT([] { parse_json("{} {}", {}); }, throws_user_error("is not JSON"));
  EXPECT_THAT([] { parse_json("", {}); }, throws_user_error("is not JSON"));
}

TEST(Json, RefusesARepeatedKey) {
  EXPECT_THAT([] { parse_json(R"({"a":1,"b":{"a":2},"a":2})", {"f.json"}); },
              throws_user_error("f.json: is not usable JSON: the key 'a' is repeated"));
  EXPECT_NO_THROW(parse_json(R"([{"a":1},{"a":2}])", {}));
}

TEST(Json, RefusesMoreThan64Levels) {
  const auto nested = [](int levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_NO_THROW(parse_json(nested(64), {}));
  EXPECT_THAT([&] { parse_json(nested(65), {"f.json"}); },
              throws_user_error("f.json: is not usable JSON: it has more than 64 levels"));
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += R"({"a":)";
  EXPECT_THAT([&] { parse_json(objects, {}); }, throws_user_error("more than 64 levels"));
}

TEST(Json, ReadsObjectsOfAnyNumberOfKeys) {
  constexpr int kKeys = 500'000;  // comparing each key with those before it would take minutes
  std::string text = "{";
  for (int i = 0; i < kKeys; ++i) text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":[1]";
  const JsonNode tree = parse_json(text + "}", {});
  EXPECT_EQ(tree.get<JsonNode::Object>()->size(), kKeys);
  EXPECT_EQ(to_json(tree, JsonLayout::kCompact), text + "}");
}

TEST(Json, AnswersAnotherValueWhereTheTypeIsWrong) {
  const JsonNode tree = parse_json(R"({"a":1,"b":"text","c":null})", {});
  EXPECT_EQ(tree.value_or("a", std::int64_t{7}), 1);
  EXPECT_EQ(tree.value_or("a", 7.0), 1.0);
  EXPECT_EQ(tree.value_or("b", std::string()), "text");
  EXPECT_EQ(tree.value_or("b", 7.0), 7.0);
  EXPECT_EQ(tree.value_or("c", 7.0), 7.0);
  EXPECT_EQ(tree.value_or("d", 7.0), 7.0);
  EXPECT_EQ(JsonNode(1).value_or("a", 7.0), 7.0);
}

}  // namespace
}  // namespace layerlab
