#include "claims/estimate_claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "claims/sample.h"
#include "stats/bimodal.h"

namespace layerlab::claims {
namespace {

using config::ClaimKind;
using config::DivergedRule;

constexpr std::size_t kMostNamed = 3;  // runs in a reason; --explain names all

// What is missing, or "" when all numbers are there.
std::string missing_numbers(const ClaimResult& result) {
  std::string list;
  std::size_t missing = 0;
  for (const auto* const runs : {&result.where, &result.versus}) {
    for (const RunNumber& run : *runs) {
      if (run.value) continue;
      if (++missing > kMostNamed) continue;
      list += fmt::format("; seed {} ({}) {}", run.seed, run.cell, run.missing);
    }
  }
  if (missing == 0) return {};
  if (missing > kMostNamed) list += fmt::format("; and {} more", missing - kMostNamed);
  return fmt::format("{} of {} runs gave no number{}", missing,
                     result.where.size() + result.versus.size(), list);
}

// What became of diverged runs, or "" without any.
std::string diverged_runs(const ClaimResult& result) {
  const auto count = std::ranges::count(result.where, true, &RunNumber::diverged) +
                     std::ranges::count(result.versus, true, &RunNumber::diverged);
  if (count == 0) return {};
  const std::string which = fmt::format("{} of {} runs diverged and count ", count,
                                        result.where.size() + result.versus.size());
  switch (result.claim.diverged) {
    case DivergedRule::kUndecided:
      return which + "with the number that their record gives";
    case DivergedRule::kChance:
      return which + "with the loss of guessing where theirs is lost";
    case DivergedRule::kFailure:
      return which + "as 0";
  }
  return {};
}

// A mean does not describe two groups of runs. A claim is refused when one group lies in the
// expected region and the other does not; otherwise it is warned of.
void check_modes(const std::vector<double>& values, ClaimResult& result) {
  if (!stats::looks_bimodal(values)) return;
  const stats::Interval region = {result.claim.expect.low, result.claim.expect.high};
  const auto inside =
      std::ranges::count_if(values, [&](double value) { return stats::lies_in(value, region); });
  const bool split = inside > 0 && inside < std::ssize(values);
  const std::string text =
      "the runs fall into two groups, which no mean describes; ask for the fraction of them in one "
      "group (kind = \"fraction\")";
  if (split) {
    result.reason = text;
  } else {
    result.warnings.push_back(text);
  }
}

void check_zeros_and_ones(const std::vector<double>& values, const config::Claim& claim) {
  const auto odd = std::ranges::find_if(values, [](double v) { return v != 0 && v != 1; });
  if (odd == values.end()) return;
  throw UserError(claim.measure_place,
                  fmt::format("the measure of a fraction must be 0 or 1; it was {}", *odd),
                  "compare it with something: final('loss') < 0.3");
}

std::vector<double> values_of(const std::vector<SeedNumber>& numbers) {
  std::vector<double> values;
  for (const SeedNumber& number : numbers) values.push_back(number.value);
  return values;
}

Estimate estimate_kind(const std::vector<double>& values, const ClaimResult& result) {
  const std::vector<double> versus = values_of(result.versus_sample);
  switch (result.claim.kind) {
    case ClaimKind::kDifference:
    case ClaimKind::kEquivalence:
      return result.paired ? estimate_mean(values) : estimate_difference(values, versus);
    case ClaimKind::kRatio:
      return result.paired ? estimate_geometric_mean(values) : estimate_quotient(values, versus);
    case ClaimKind::kMean:
    case ClaimKind::kSlope:
    case ClaimKind::kExponent:
      return estimate_mean(values);
    case ClaimKind::kFraction:
      return estimate_fraction(values);
    case ClaimKind::kTrend:
      return estimate_trend(values, static_cast<int>(result.where.size() / values.size()));
  }
  throw std::logic_error("a kind of claim that is none");
}

}  // namespace

std::optional<Estimate> estimate_claim(ClaimResult& result) {
  result.reason = missing_numbers(result);
  if (!result.reason.empty()) return std::nullopt;
  if (const std::string note = diverged_runs(result); !note.empty()) {
    result.warnings.push_back(note);
  }
  Sample sample = sample_of(result);
  result.reason = sample.refusal;
  result.sample = std::move(sample.numbers);
  result.versus_sample = std::move(sample.versus);
  if (!result.reason.empty()) return std::nullopt;

  const std::vector<double> values = values_of(result.sample);
  if (result.claim.kind == ClaimKind::kMean) check_modes(values, result);
  if (result.claim.kind == ClaimKind::kFraction) check_zeros_and_ones(values, result.claim);
  if (!result.reason.empty()) return std::nullopt;

  const Estimate estimate = estimate_kind(values, result);
  result.estimate = estimate.value;
  const bool spread =
      result.sample.size() >= 2 && (result.paired || result.versus_sample.size() >= 2);
  if (spread || result.claim.kind == ClaimKind::kFraction) return estimate;
  result.reason = "one seed gives no spread between seeds between seeds";
  return std::nullopt;
}

}  // namespace layerlab::claims
