#include "stats/verdict.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace layerlab::stats {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const std::vector<double> kValues = {2.1, 2.9, 3.3, 2.4, 2.6};

double p_value(const Interval& region) {
  return decisive_alpha([](double alpha) { return mean_interval(kValues, alpha); }, region);
}

TEST(Judge, ConfirmsWhatLiesInsideAsAWhole) {
  EXPECT_EQ(judge({0.95, 1.1}, {0.9, kInf}), Verdict::kConfirmed);
  EXPECT_EQ(judge({0.1, 0.2}, {-kInf, 0.3}), Verdict::kConfirmed);
  EXPECT_EQ(judge({0.4, 0.6}, {0.3, 0.7}), Verdict::kConfirmed);
}

TEST(Judge, RefutesWhatLiesOutsideAsAWhole) {
  EXPECT_EQ(judge({0.1, 0.2}, {0.9, kInf}), Verdict::kRefuted);
  EXPECT_EQ(judge({0.4, 0.6}, {-kInf, 0.3}), Verdict::kRefuted);
  EXPECT_EQ(judge({0.1, 0.2}, {0.3, 0.7}), Verdict::kRefuted);
  EXPECT_EQ(judge({0.8, 0.9}, {0.3, 0.7}), Verdict::kRefuted);
}

TEST(Judge, DoesNotDecideWhatLiesAcrossAnEdge) {
  EXPECT_EQ(judge({0.8, 1.1}, {0.9, kInf}), Verdict::kInconclusive);
  EXPECT_EQ(judge({0.1, 0.9}, {0.3, 0.7}), Verdict::kInconclusive);
  EXPECT_EQ(judge({0.6, 0.9}, {0.3, 0.7}), Verdict::kInconclusive);
}

TEST(Judge, TakesInequalitiesAsStrictAndRangesAsClosed) {
  EXPECT_EQ(judge({0, 0}, {0, kInf}), Verdict::kRefuted);
  EXPECT_EQ(judge({0, 0}, {-kInf, 0}), Verdict::kRefuted);
  EXPECT_EQ(judge({0.9, 1}, {0.9, 1}), Verdict::kConfirmed);
}

// SciPy 1.17.1: stats.ttest_1samp(values, edge).pvalue.
TEST(DecisiveAlpha, IsTheTTestsPValueAtTheNearestEdge) {
  EXPECT_NEAR(p_value({2, kInf}), 0.03297271334655827, 1e-6);
  EXPECT_NEAR(p_value({3.5, kInf}), 0.015225285482993595, 1e-6);
  EXPECT_NEAR(p_value({2, 4}), 0.03297271334655827, 1e-6);
}

// SciPy 1.17.1: 2 * stats.binom.sf(8, 10, 0.5).
TEST(DecisiveAlpha, IsTheExactTestsPValueForAFraction) {
  const auto interval = [](double alpha) { return fraction_interval(9, 10, alpha); };
  EXPECT_NEAR(decisive_alpha(interval, {0.5, kInf}), 0.021484375, 1e-6);
}

TEST(DecisiveAlpha, IsZeroForACertainAnswerAndOneForNone) {
  const auto certain = [](double) { return Interval{3, 3}; };
  EXPECT_EQ(decisive_alpha(certain, {2, kInf}), 0);
  EXPECT_EQ(decisive_alpha(certain, {4, kInf}), 0);
  const auto never = [](double) { return Interval{1, 5}; };
  EXPECT_EQ(decisive_alpha(never, {2, kInf}), 1);
}

// SciPy 1.17.1: smallest n with t.ppf(0.975, n-1) * s / sqrt(n) < 2.66 - 2.5.
TEST(ValuesNeeded, IsTheSmallestSampleThatSettlesAMean) {
  const auto interval = [](int n) { return t_interval(2.66, 0.213, n, 0.05); };
  EXPECT_EQ(values_needed(interval, 6, {2.5, kInf}), 35);
}

// The smallest n with 0.025^(1/n) > 0.9.
TEST(ValuesNeeded, IsTheSmallestSampleThatSettlesAFraction) {
  const auto interval = [](int n) { return fraction_interval(n, n, 0.05); };
  EXPECT_EQ(values_needed(interval, 6, {0.9, 1}), 36);
}

TEST(ValuesNeeded, IsNothingWhenNoSampleWouldDo) {
  const auto interval = [](int n) { return t_interval(2.5, 1, n, 0.05); };
  EXPECT_EQ(values_needed(interval, 6, {2.5, kInf}), std::nullopt);
}

}  // namespace
}  // namespace layerlab::stats
