#include "claims/judge.h"

#include <gmock/gmock.h>

#include <limits>

namespace layerlab::claims {
namespace {

using stats::Verdict;

constexpr double kInf = std::numeric_limits<double>::infinity();

// Claims "> 0" about means of which the two-sided p-values against 0 are, by
// SciPy 1.17.1 stats.ttest_1samp(values, 0).pvalue,
const std::vector<double> kStrong = {1, 1.1, 1.2};  // 0.00274
const std::vector<double> kMiddle = {1, 1.4, 1.8};  // 0.02615
const std::vector<double> kWeak = {1, 1.55, 2.1};   // 0.03950

std::vector<ClaimResult> judged(const std::vector<std::vector<double>>& samples, double low = 0) {
  std::vector<ClaimResult> results(samples.size());
  std::vector<std::optional<Estimate>> estimates;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    results[i].claim.expect = {low, kInf, ""};
    estimates.push_back(samples[i].empty() ? std::nullopt
                                           : std::optional(estimate_mean(samples[i])));
  }
  judge(estimates, results);
  return results;
}

TEST(Family, TakesASingleClaimAtTheFullLevel) {
  const ClaimResult result = judged({kWeak})[0];
  EXPECT_EQ(result.verdict, Verdict::kConfirmed);
  EXPECT_DOUBLE_EQ(result.level, 0.95);
  EXPECT_NEAR(result.p_adjusted, 0.03950, 1e-4);
}

TEST(Family, StepsDownFromTheSurestClaim) {
  const std::vector<ClaimResult> results = judged({kMiddle, kStrong});
  EXPECT_EQ(results[1].verdict, Verdict::kConfirmed);  // 0.00274 < 0.05/2
  EXPECT_DOUBLE_EQ(results[1].level, 0.975);
  EXPECT_EQ(results[0].verdict, Verdict::kConfirmed);  // 0.02615 < 0.05/1, though not < 0.05/2
  EXPECT_DOUBLE_EQ(results[0].level, 0.95);
}

TEST(Family, ShowsTheIntervalThatTheVerdictWasGivenAt) {
  const std::vector<ClaimResult> results = judged({kMiddle, kWeak, kStrong});
  EXPECT_EQ(results[2].verdict, Verdict::kConfirmed);
  for (const int i : {0, 1}) {  // 0.02615 > 0.05/2 fails, and with it all behind it
    EXPECT_EQ(results[i].verdict, Verdict::kInconclusive);
    EXPECT_DOUBLE_EQ(results[i].level, 0.975);
    EXPECT_LT(results[i].interval->low, 0);
  }
}

TEST(Family, CountsClaimsWithoutAnEstimate) {
  EXPECT_EQ(judged({kWeak, {}})[0].verdict, Verdict::kInconclusive);
}

TEST(Family, DoesNotLetARefutationMakeAConfirmationEasier) {
  std::vector<double> negative;
  for (const double value : kStrong) negative.push_back(-value);
  const std::vector<ClaimResult> results = judged({kMiddle, negative});
  EXPECT_EQ(results[1].verdict, Verdict::kRefuted);
  EXPECT_EQ(results[0].verdict, Verdict::kInconclusive);
  EXPECT_DOUBLE_EQ(results[0].level, 0.975);
}

// SciPy 1.17.1: the smallest n with t.ppf(0.975, n-1) * 0.3 / sqrt(n) < 0.1 is 38.
TEST(Family, SaysHowManyRunsWouldSettleAnUndecidedClaim) {
  const ClaimResult result = judged({{0.8, 1.1, 1.4}}, 1)[0];
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_EQ(result.reason, "about 38 seeds like these 3 would settle it");
}

TEST(Family, SaysWhenNoNumberOfRunsWould) {
  const ClaimResult result = judged({{0.75, 1, 1.25}}, 1)[0];
  EXPECT_EQ(result.reason, "the estimate lies on the edge of what is expected");
}

TEST(Family, ComparesWithTheExpectedOutcome) {
  std::vector<ClaimResult> results(2);
  for (ClaimResult& result : results) result.claim.expect = {5, kInf, ""};
  results[0].claim.outcome = "refuted";
  judge({estimate_mean(kStrong), estimate_mean(kStrong)}, results);
  EXPECT_TRUE(results[0].as_expected);
  EXPECT_FALSE(results[1].as_expected);  // confirmed was
}

}  // namespace
}  // namespace layerlab::claims
