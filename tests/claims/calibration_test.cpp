// Are verdicts right as often as docs/statistics.md says? Experiments whose truth is known are
// simulated many times, always with the same draws. The tables of docs/statistics.md are these.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "claims/estimate_claim.h"
#include "claims/interim_analysis.h"
#include "claims/judge.h"
#include "config/claims.h"
#include "core/random.h"
#include "core/table_reader.h"

namespace layerlab::claims {
namespace {

using config::ClaimKind;
using stats::Verdict;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr int kExperiments = 1000;

// A share of kExperiments, three standard deviations above what is allowed.
double at_most(double share) { return share + 3 * std::sqrt(share * (1 - share) / kExperiments); }

struct Asked {
  ClaimKind kind;
  bool paired = true;  // of what compares
};

// One experiment of a kind in which the true value of what is claimed is `effect`, in units of the
// noise between runs. A seed has an offset of its own in all of its runs, as shared weights cause;
// where none has runs on both sides, it is part of the noise.
ClaimResult simulate(const Asked& asked, int seeds, double effect, RandomStream& draws) {
  ClaimResult result;
  result.claim.kind = asked.kind;
  result.paired = asked.paired;
  for (int seed = 1; seed <= seeds; ++seed) {
    const double offset = asked.paired ? 2 * draws.normal() : 0;
    const auto add = [&](std::vector<RunNumber>& runs, double value, double along = 0) {
      RunNumber run;
      run.seed = static_cast<std::uint64_t>(seed);
      run.value = value;
      run.along = along;
      runs.push_back(run);
    };
    switch (asked.kind) {
      case ClaimKind::kMean:
        add(result.where, effect + draws.normal());
        break;
      case ClaimKind::kDifference:
      case ClaimKind::kEquivalence:
        add(result.where, offset + effect + draws.normal());
        add(result.versus, offset + draws.normal());
        break;
      case ClaimKind::kRatio:  // of logarithm `effect`
        add(result.where, std::exp(offset + effect + draws.normal()));
        add(result.versus, std::exp(offset + draws.normal()));
        break;
      case ClaimKind::kFraction:  // of probability 1/2 + effect
        add(result.where, draws.uniform() < 0.5 + effect ? 1 : 0);
        break;
      case ClaimKind::kSlope:
      case ClaimKind::kTrend:
        for (const double depth : {1, 2, 3, 4}) {
          add(result.where, offset + effect * depth + draws.normal(), depth);
        }
        break;
      case ClaimKind::kExponent:
        for (const double depth : {1, 2, 4, 8}) {
          add(result.where, std::exp(offset + effect * std::log(depth) + draws.normal()), depth);
        }
        break;
    }
  }
  return result;
}

struct Shares {
  double confirmed = 0, refuted = 0;
};

// How often the claim that the value lies in [low, high] is decided.
Shares verdicts(const Asked& asked, int seeds, double effect, double low, double high) {
  Shares shares;
  for (int i = 0; i < kExperiments; ++i) {
    RandomStream draws(static_cast<std::uint64_t>(i), Purpose::kBatch, "calibration");
    std::vector<ClaimResult> results = {simulate(asked, seeds, effect, draws)};
    results[0].claim.expect = {low, high, ""};
    judge({estimate_claim(results[0])}, results);
    shares.confirmed += (results[0].verdict == Verdict::kConfirmed) / double{kExperiments};
    shares.refuted += (results[0].verdict == Verdict::kRefuted) / double{kExperiments};
  }
  return shares;
}

// Where the edge of the claim "> a" stands when there is no effect.
double no_effect(ClaimKind kind) {
  if (kind == ClaimKind::kRatio) return 1;
  return kind == ClaimKind::kFraction ? 0.5 : 0;
}

class Calibration : public testing::TestWithParam<Asked> {};

INSTANTIATE_TEST_SUITE_P(Kinds, Calibration,
                         testing::Values(Asked{ClaimKind::kMean}, Asked{ClaimKind::kRatio},
                                         Asked{ClaimKind::kDifference},
                                         Asked{ClaimKind::kEquivalence},
                                         Asked{ClaimKind::kFraction}, Asked{ClaimKind::kSlope},
                                         Asked{ClaimKind::kExponent}, Asked{ClaimKind::kTrend},
                                         Asked{ClaimKind::kRatio, /*paired=*/false},
                                         Asked{ClaimKind::kDifference, /*paired=*/false},
                                         Asked{ClaimKind::kEquivalence, /*paired=*/false}),
                         [](const auto& test) {
                           return name_of(test.param.kind) + (test.param.paired ? "" : "_unpaired");
                         });

TEST_P(Calibration, FindsNoEffectWhereThereIsNone) {
  for (const int seeds : {3, 5, 10}) {
    const Shares shares = verdicts(GetParam(), seeds, 0, no_effect(GetParam().kind), kInf);
    RecordProperty("confirmed_of_" + std::to_string(seeds), std::to_string(shares.confirmed));
    RecordProperty("refuted_of_" + std::to_string(seeds), std::to_string(shares.refuted));
    EXPECT_LE(shares.confirmed, at_most(0.025)) << seeds;
    EXPECT_LE(shares.refuted, at_most(0.025)) << seeds;
  }
}

TEST_P(Calibration, FindsALargeEffectAndRefutesItsDenial) {
  const ClaimKind kind = GetParam().kind;
  const bool fraction = kind == ClaimKind::kFraction;
  const int seeds = fraction ? 20 : 5;
  const double effect = fraction ? 0.45 : 5;
  const Shares claimed = verdicts(GetParam(), seeds, effect, no_effect(kind), kInf);
  RecordProperty("confirmed", std::to_string(claimed.confirmed));
  EXPECT_GE(claimed.confirmed, 0.95);
  EXPECT_EQ(claimed.refuted, 0);
  const Shares denied = verdicts(GetParam(), seeds, effect, -kInf, no_effect(kind));
  EXPECT_GE(denied.refuted, 0.95);
  EXPECT_EQ(denied.confirmed, 0);
}

TEST_P(Calibration, LeavesASmallEffectUndecidedMoreOftenThanNot) {
  const Shares shares = verdicts(GetParam(), 3, 0.1, no_effect(GetParam().kind), kInf);
  EXPECT_GT(1 - shares.confirmed - shares.refuted, 0.8);
}

// A/A: two groups of seeds of the same runs. A claim that compares them, or else asks one of them
// for what is true of both, finds something where "> a" or "< a" of the true value a is CONFIRMED.
class SameAgainstSame : public testing::TestWithParam<ClaimKind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, SameAgainstSame,
                         testing::Values(ClaimKind::kMean, ClaimKind::kRatio,
                                         ClaimKind::kDifference, ClaimKind::kEquivalence,
                                         ClaimKind::kFraction, ClaimKind::kSlope,
                                         ClaimKind::kExponent, ClaimKind::kTrend),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(SameAgainstSame, FindsNoDifference) {
  const Asked groups{GetParam(), /*paired=*/!config::compares(GetParam())};
  const double truth = no_effect(GetParam());
  for (const int seeds : {3, 5, 10}) {
    const double found = verdicts(groups, seeds, 0, truth, kInf).confirmed +
                         verdicts(groups, seeds, 0, -kInf, truth).confirmed;
    RecordProperty("found_of_" + std::to_string(seeds), std::to_string(found));
    EXPECT_LE(found, at_most(0.05)) << seeds;
  }
}

// SciPy 1.17.1: nct.sf(t.ppf(0.975, n - 1), n - 1, effect sqrt(n)), for n = 5.
TEST(CalibrationOfPower, IsThatOfStudentsTest) {
  for (const auto& [effect, power] : {std::pair(1.0, 0.4013), {1.5, 0.7107}, {2.0, 0.9089}}) {
    const double found = verdicts({ClaimKind::kMean}, 5, effect, 0, kInf).confirmed;
    EXPECT_NEAR(found, power, 3 * std::sqrt(power * (1 - power) / kExperiments)) << effect;
  }
}

TEST(CalibrationOfEquivalence, IsGivenInsideTheMarginOnly) {
  for (const bool paired : {true, false}) {
    const Asked asked{ClaimKind::kEquivalence, paired};
    EXPECT_LE(verdicts(asked, 5, 3, -3, 3).confirmed, at_most(0.025));
    EXPECT_GE(verdicts(asked, 10, 0, -3, 3).confirmed, 0.95);
    EXPECT_GE(verdicts(asked, 10, 9, -3, 3).refuted, 0.95);
  }
}

// Where one group is four times as large as the other and its runs three times as alike.
TEST(CalibrationOfWelch, HoldsForGroupsOfOtherSizesAndSpreads) {
  int found = 0;
  for (int i = 0; i < kExperiments; ++i) {
    RandomStream draws(static_cast<std::uint64_t>(i), Purpose::kBatch, "welch");
    std::vector<double> few, many;
    for (int k = 0; k < 4; ++k) few.push_back(3 * draws.normal());
    for (int k = 0; k < 16; ++k) many.push_back(draws.normal());
    const stats::Interval interval = estimate_difference(few, many).interval(20, 0.05);
    found += interval.low > 0 || interval.high < 0;
  }
  RecordProperty("found", found);
  EXPECT_LE(static_cast<double>(found) / kExperiments, at_most(0.05));
}

double normal(RandomStream& draws) { return draws.normal(); }
// Student's t of 3 degrees of freedom: heavy tails.
double t3(RandomStream& draws) {
  const double numerator = draws.normal();
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(draws.normal(), 2);
  return numerator / std::sqrt(squares / 3);
}
double lognormal(RandomStream& draws) { return std::exp(draws.normal()) - std::exp(0.5); }
// Seven of ten runs give about 0.7 less than the others do.
double two_humps(RandomStream& draws) {
  const double hump = draws.uniform() < 0.3 ? 0.7 : -0.3;
  return hump + 0.02 * draws.normal();
}

struct Coverage {
  const char* numbers;
  double (*draw)(RandomStream&);  // with a mean of 0
  int n;
  double expected;  // share of 95 % intervals that hold 0
};

class CoverageOf : public testing::TestWithParam<Coverage> {};

TEST_P(CoverageOf, IsWhatTheTableSays) {
  const auto& [numbers, draw, n, expected] = GetParam();
  const int experiments = n < kBootstrapFrom ? 2000 : 300;  // resampling takes its time
  int held = 0;
  for (int i = 0; i < experiments; ++i) {
    RandomStream draws(static_cast<std::uint64_t>(i), Purpose::kBatch, numbers);
    std::vector<double> values;
    for (int k = 0; k < n; ++k) values.push_back(draw(draws));
    const stats::Interval interval = estimate_mean(values).interval(n, 0.05);
    held += interval.low <= 0 && 0 <= interval.high;
  }
  const double share = static_cast<double>(held) / experiments;
  RecordProperty("coverage", std::to_string(share));
  EXPECT_NEAR(share, expected, 3 * std::sqrt(expected * (1 - expected) / experiments));
}

INSTANTIATE_TEST_SUITE_P(
    Mean, CoverageOf,
    testing::Values(
        Coverage{"normal", normal, 3, 0.95}, Coverage{"normal", normal, 5, 0.95},
        Coverage{"normal", normal, 10, 0.95}, Coverage{"normal", normal, 30, 0.95},
        Coverage{"t3", t3, 3, 0.96}, Coverage{"t3", t3, 5, 0.96}, Coverage{"t3", t3, 10, 0.96},
        Coverage{"t3", t3, 30, 0.96}, Coverage{"lognormal", lognormal, 3, 0.84},
        Coverage{"lognormal", lognormal, 5, 0.83}, Coverage{"lognormal", lognormal, 10, 0.84},
        Coverage{"lognormal", lognormal, 30, 0.90}, Coverage{"two_humps", two_humps, 3, 0.62},
        Coverage{"two_humps", two_humps, 5, 0.8}, Coverage{"two_humps", two_humps, 10, 0.96},
        Coverage{"two_humps", two_humps, 30, 0.94}),
    [](const auto& test) {
      return std::string(test.param.numbers) + "_of_" + std::to_string(test.param.n);
    });

// Ten claims without an effect, whose seeds are doubled twice as long as they are open.
TEST(CalibrationOfAFile, HoldsForAllItsClaimsAndLooksTogether) {
  constexpr int kClaims = 10;
  int files = 0;
  for (int i = 0; i < kExperiments; ++i) {
    RandomStream draws(static_cast<std::uint64_t>(i), Purpose::kBatch, "file");
    std::vector<ClaimResult> whole, results(kClaims);
    for (int claim = 0; claim < kClaims; ++claim) {
      whole.push_back(simulate({ClaimKind::kMean}, 12, 0, draws));
      whole.back().claim.expect = {0, kInf, ""};
    }
    for (int number = 1; number <= 3; ++number) {
      std::vector<std::optional<Estimate>> estimates(kClaims);
      for (int claim = 0; claim < kClaims; ++claim) {
        results[claim].closed = number > 1 && !is_open(results[claim]);
        if (results[claim].closed) continue;
        results[claim] = whole[claim];
        results[claim].where.resize(3u << (number - 1));
        estimates[claim] = estimate_claim(results[claim]);
      }
      judge(estimates, results, stage_alpha(number));
    }
    files += std::ranges::any_of(
        results, [](const ClaimResult& result) { return result.verdict == Verdict::kConfirmed; });
  }
  RecordProperty("files", files);
  EXPECT_LE(static_cast<double>(files) / kExperiments, at_most(0.025));
}

}  // namespace
}  // namespace layerlab::claims
