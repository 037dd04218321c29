#include "config/claims.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/user_error.h"

namespace layerlab::config {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Claim> read(const std::string& text) {
  const TomlNode root = parse_toml_text("[[claim]]\n" + text, "demo.toml");
  return read_claims(root.find("claim"));
}

std::string reading(const std::string& text) {
  return refusal([&] { read(text); });
}

const std::string kWhole =
    "id = 'stalls'\nsource = 'a paper'\nstatement = 'it stalls'\n"
    "where = { 'model.block' = 'post_ln', train.warmup = 0 }\n"
    "measure = \"final('loss')\"\nkind = 'fraction'\nexpect = '> 0.9'\noutcome = 'refuted'\n";

TEST(Claims, ReadsEveryKey) {
  const Claim claim = read(kWhole).front();
  EXPECT_EQ(claim.id, "stalls");
  EXPECT_EQ(claim.source, "a paper");
  EXPECT_EQ(claim.statement, "it stalls");
  ASSERT_EQ(claim.where.size(), 2u);
  EXPECT_EQ(claim.where[0].key, "model.block");
  EXPECT_EQ(claim.where[1].key, "train.warmup");
  EXPECT_EQ(claim.measure, "final('loss')");
  EXPECT_EQ(claim.measure_place.text(), "demo.toml:6:12");
  EXPECT_EQ(claim.kind, ClaimKind::kFraction);
  EXPECT_EQ(claim.expect.low, 0.9);
  EXPECT_EQ(claim.expect.text, "> 0.9");
  EXPECT_EQ(claim.outcome, "refuted");
  EXPECT_EQ(claim.place.text(), "demo.toml:1:1");
}

TEST(Claims, AreMeansThatShouldBeConfirmedUnlessTheySayOtherwise) {
  const Claim claim = read("id = 'a'\nmeasure = '1'\nexpect = '> 0'").front();
  EXPECT_EQ(claim.kind, ClaimKind::kMean);
  EXPECT_EQ(claim.outcome, "confirmed");
  EXPECT_TRUE(claim.where.empty());
}

TEST(Claims, ReadsEveryFormOfExpectation) {
  const auto bounds = [](const std::string& text) {
    const Region region = parse_region(text, {});
    return std::pair(region.low, region.high);
  };
  EXPECT_EQ(bounds("> 0.9"), std::pair(0.9, kInfinity));
  EXPECT_EQ(bounds("<1e-3"), std::pair(-kInfinity, 1e-3));
  EXPECT_EQ(bounds("-1 .. 2"), std::pair(-1.0, 2.0));
  EXPECT_EQ(bounds("0.5..1"), std::pair(0.5, 1.0));
  EXPECT_EQ(bounds("0.5 +- 0.25"), std::pair(0.25, 0.75));
}

TEST(Claims, RefusesOtherExpectations) {
  for (const std::string text :
       {"", ">", ">= 1", "0.9", "> high", "1 .. ", "1 +- x", "> inf", "> nan", "1 2"}) {
    EXPECT_EQ(refusal([&] {
                parse_region(text, Place{"demo.toml", 2, 10});
              }),
              "demo.toml:2:10: claim.expect must be \"> a\", \"< a\", \"a .. b\" or \"a +- b\", "
              "got \"" +
                  text + "\"; write for example expect = \"> 0.9\"");
  }
}

TEST(Claims, RefusesExpectationsThatHoldNoNumber) {
  for (const std::string text : {"2 .. 1", "1 +- -1"}) {
    EXPECT_EQ(refusal([&] { parse_region(text, {}); }),
              "claim.expect = \"" + text + "\" holds no number; write the smaller bound first");
  }
}

TEST(Claims, RefusesMissingKeys) {
  EXPECT_EQ(reading("measure = '1'\nexpect = '> 0'"),
            "demo.toml:1:1: claim.id is missing; write for example id = \"post_ln_stalls\"");
  EXPECT_EQ(reading("id = 'a'\nexpect = '> 0'"),
            "demo.toml:1:1: claim.measure is missing; "
            "write for example measure = \"final('loss') / chance_loss()\"");
  EXPECT_EQ(reading("id = 'a'\nmeasure = '1'"),
            "demo.toml:1:1: claim.expect is missing; write for example expect = \"> 0.9\"");
}

TEST(Claims, RefusesEmptyKeys) {
  EXPECT_EQ(reading("id = ''\nmeasure = '1'\nexpect = '> 0'"), "demo.toml:2:6: claim.id is empty");
  EXPECT_EQ(reading("id = 'a'\nmeasure = ''\nexpect = '> 0'"),
            "demo.toml:3:11: claim.measure is empty");
}

TEST(Claims, RefusesUnknownKeysAndKinds) {
  EXPECT_EQ(reading(kWhole + "wher = {}"),
            "demo.toml:10:1: unknown key claim.wher; did you mean 'where'?");
  EXPECT_EQ(reading("id = 'a'\nmeasure = '1'\nexpect = '> 0'\nkind = 'anova'"),
            "demo.toml:5:8: claim.kind must be one of \"mean\", \"ratio\", \"difference\", "
            "\"equivalence\", \"fraction\", \"slope\", \"exponent\", \"trend\", got "
            "\"anova\"; write for example kind = \"mean\"");
  EXPECT_EQ(reading("id = 'a'\nmeasure = '1'\nexpect = '> 0'\noutcome = 'confirmd'"),
            "demo.toml:5:11: claim.outcome must be one of \"confirmed\", \"refuted\", "
            "\"inconclusive\", got \"confirmd\"; did you mean 'confirmed'?");
}

TEST(Claims, RefusesSelectionsByUnknownKeys) {
  EXPECT_EQ(reading("id = 'a'\nmeasure = '1'\nexpect = '> 0'\nwhere = { 'model.blok' = 'x' }"),
            "demo.toml:5:11: unknown key model.blok; did you mean 'model.block'?");
  EXPECT_EQ(reading("id = 'a'\nmeasure = '1'\nexpect = '> 0'\nwhere = 'post_ln'"),
            "demo.toml:5:9: claim.where must be a table, got \"post_ln\"; "
            "write [claim.where] and its keys below");
}

TEST(Claims, SelectByOneValueAListOrARange) {
  const Selection where =
      read(
          "id = 'a'\nmeasure = '1'\nexpect = '> 0'\n"
          "where = { 'model.depth' = [6, 12], seed = '1..3', 'model.block' = 'pre_ln' }")
          .front()
          .where;
  ASSERT_EQ(where.size(), 3u);
  EXPECT_EQ(where[0].values.size(), 2u);
  EXPECT_EQ(where[1].key, "seed");
  EXPECT_EQ(where[1].values.size(), 3u);
  EXPECT_EQ(to_toml_value(where[1].values[2]), "3");
  EXPECT_EQ(where[2].values.size(), 1u);
}

TEST(Claims, RefuseASelectionByNoValue) {
  EXPECT_EQ(reading("id = 'a'\nmeasure = '1'\nexpect = '> 0'\nwhere = { seed = '3..1' }"),
            "demo.toml:5:18: seed has no values; write at least one, or remove the key");
}

TEST(Claims, RefusesARatioToNothing) {
  EXPECT_EQ(reading("id = 'a'\nmeasure = '1'\nexpect = '> 0'\nkind = 'ratio'"),
            "demo.toml:1:1: claim.versus is missing: kind = \"ratio\" compares two selections; "
            "write for example versus = { \"model.block\" = \"pre_ln\" }");
}

TEST(Claims, RefusesAComparisonThatTheKindDoesNotMake) {
  EXPECT_EQ(reading("id = 'a'\nmeasure = '1'\nexpect = '> 0'\nversus = { seed = 1 }"),
            "demo.toml:5:1: claim.versus has no meaning with kind = \"mean\"; "
            "remove it, or write kind = \"ratio\" or \"difference\" or \"equivalence\"");
}

TEST(Claims, ReadTheAxisThatASlopeFollows) {
  const Claim claim =
      read("id = 'a'\nmeasure = '1'\nexpect = '> 0'\nkind = 'slope'\nalong = 'model.depth'")
          .front();
  EXPECT_EQ(claim.kind, ClaimKind::kSlope);
  EXPECT_EQ(claim.along, "model.depth");
  EXPECT_EQ(claim.along_place.text(), "demo.toml:6:10");
}

TEST(Claims, RefuseASlopeAlongNothing) {
  EXPECT_EQ(reading("id = 'a'\nmeasure = '1'\nexpect = '> 0'\nkind = 'trend'"),
            "demo.toml:1:1: claim.along is missing: kind = \"trend\" follows an axis of the grid; "
            "write for example along = \"model.depth\"");
  EXPECT_EQ(
      reading("id = 'a'\nmeasure = '1'\nexpect = '> 0'\nkind = 'slope'\nalong = 'model.deep'"),
      "demo.toml:6:10: unknown key model.deep; did you mean 'model.depth'?");
}

TEST(Claims, RefuseAnEquivalenceWithoutAMargin) {
  EXPECT_EQ(reading("id = 'a'\nmeasure = '1'\nexpect = '< 1'\nkind = 'equivalence'\n"
                    "versus = { seed = 1 }"),
            "demo.toml:4:10: claim.expect of an equivalence must be a margin; write for example "
            "expect = \"0 +- 0.1\"");
}

TEST(Claims, ReadWhatDivergedRunsCountAs) {
  const std::string claim = "id = 'a'\nmeasure = '1'\nexpect = '> 0'\n";
  EXPECT_EQ(read(claim).front().diverged, DivergedRule::kUndecided);
  EXPECT_EQ(read(claim + "diverged = 'chance'").front().diverged, DivergedRule::kChance);
  EXPECT_EQ(read(claim + "kind = 'fraction'\ndiverged = 'failure'").front().diverged,
            DivergedRule::kFailure);
  EXPECT_EQ(reading(claim + "diverged = 'failure'"),
            "demo.toml:5:12: claim.diverged = \"failure\" counts a run as 0, which has a meaning "
            "with kind = \"fraction\" only; write for example diverged = \"chance\"");
}

TEST(Claims, RefusesAnIdTwice) {
  EXPECT_EQ(reading(kWhole + "[[claim]]\n" + kWhole),
            "demo.toml:11:6: claim.id \"stalls\" is used twice; give each claim its own");
}

TEST(Claims, RefusesASingleTable) {
  const TomlNode root = parse_toml_text("[claim]\nid = 'a'", "demo.toml");
  EXPECT_EQ(refusal([&] { read_claims(root.find("claim")); }),
            "demo.toml:1:2: claim must be an array of tables, got a table; write [[claim]]");
}

}  // namespace
}  // namespace layerlab::config
