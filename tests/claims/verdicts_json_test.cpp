#include "claims/verdicts_json.h"

#include <gtest/gtest.h>

#include "core/json.h"

namespace layerlab::claims {
namespace {

TEST(VerdictsJson, HoldsEveryClaimWithEveryRun) {
  ClaimResult result;
  result.claim.id = "stalls";
  result.claim.measure = "final('loss')";
  result.claim.expect.text = "> 0.9";
  result.where = {{"3f9c", 1, 0.5, ""}, {"77aa", 2, std::nullopt, "has not finished"}};
  result.reason = "1 of 2 runs gave no number";
  const JsonNode tree = parse_json(verdicts_json({result}), {});
  const JsonNode& claim = tree.find("claims")->get<JsonNode::Array>()->at(0);
  EXPECT_EQ(*claim.find("id")->get<std::string>(), "stalls");
  EXPECT_EQ(*claim.find("kind")->get<std::string>(), "mean");
  EXPECT_EQ(*claim.find("verdict")->get<std::string>(), "inconclusive");
  EXPECT_EQ(*claim.find("as_expected")->get<bool>(), false);
  EXPECT_NE(claim.find("estimate")->get<std::nullptr_t>(), nullptr);
  const auto& runs = *claim.find("where")->get<JsonNode::Array>();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(*runs[0].find("value")->get<double>(), 0.5);
  EXPECT_EQ(*runs[1].find("missing")->get<std::string>(), "has not finished");
}

TEST(VerdictsJson, HoldsBothSamplesWhereNoSeedsPairUp) {
  ClaimResult result;
  result.claim.kind = config::ClaimKind::kDifference;
  result.paired = false;
  result.sample = {{1, 0.5}, {2, 0.75}};
  result.versus_sample = {{3, 0.25}};
  const JsonNode tree = parse_json(verdicts_json({result}), {});
  const JsonNode& claim = tree.find("claims")->get<JsonNode::Array>()->at(0);
  EXPECT_EQ(*claim.find("paired")->get<bool>(), false);
  EXPECT_EQ(claim.find("sample")->get<JsonNode::Array>()->size(), 2u);
  const auto& versus = *claim.find("versus_sample")->get<JsonNode::Array>();
  ASSERT_EQ(versus.size(), 1u);
  EXPECT_EQ(*versus[0].find("seed")->get<std::int64_t>(), 3);
  EXPECT_EQ(*versus[0].find("value")->get<double>(), 0.25);
}

TEST(VerdictsJson, HoldsTheIntervalAndItsLevel) {
  ClaimResult result;
  result.claim.kind = config::ClaimKind::kFraction;
  result.estimate = 0.75;
  result.interval = stats::Interval{0.5, 1};
  result.level = 0.975;
  result.p_adjusted = 0.01;
  result.verdict = stats::Verdict::kConfirmed;
  const JsonNode tree = parse_json(verdicts_json({result}), {});
  const JsonNode& claim = tree.find("claims")->get<JsonNode::Array>()->at(0);
  EXPECT_EQ(*claim.find("estimate")->get<double>(), 0.75);
  EXPECT_EQ(*claim.find("low")->get<double>(), 0.5);
  EXPECT_EQ(*claim.find("high")->get<double>(), 1);
  EXPECT_EQ(*claim.find("level")->get<double>(), 0.975);
  EXPECT_EQ(*claim.find("p_adjusted")->get<double>(), 0.01);
}

}  // namespace
}  // namespace layerlab::claims
