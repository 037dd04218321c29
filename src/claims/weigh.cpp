#include "claims/weigh.h"

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
std::string missing_numbers(const Answer& answer) {
  std::string list;
  std::size_t missing = 0;
  for (const auto* const runs : {&answer.where, &answer.versus}) {
    for (const RunNumber& run : *runs) {
      if (run.value) continue;
      if (++missing > kMostNamed) continue;
      list += fmt::format("; seed {} ({}) {}", run.seed, run.cell, run.missing);
    }
  }
  if (missing == 0) return {};
  if (missing > kMostNamed) list += fmt::format("; and {} more", missing - kMostNamed);
  return fmt::format("{} of {} runs gave no number{}", missing,
                     answer.where.size() + answer.versus.size(), list);
}

// What became of diverged runs, or "" without any.
std::string diverged_runs(const Answer& answer) {
  const auto count = std::ranges::count(answer.where, true, &RunNumber::diverged) +
                     std::ranges::count(answer.versus, true, &RunNumber::diverged);
  if (count == 0) return {};
  const std::string which = fmt::format("{} of {} runs diverged and count ", count,
                                        answer.where.size() + answer.versus.size());
  switch (answer.claim.diverged) {
    case DivergedRule::kUndecided:
      return which + "with the number that their record gives";
    case DivergedRule::kChance:
      return which + "with the loss of guessing where theirs is lost";
    case DivergedRule::kFailure:
      return which + "as 0";
  }
  return {};
}

// Two groups of runs have no mean worth the name. Where one of them lies in the expected region and
// the other does not, the mean would answer a question that nobody asked.
void check_modes(const std::vector<double>& values, Answer& answer) {
  if (!stats::looks_bimodal(values)) return;
  const stats::Interval region = {answer.claim.expect.low, answer.claim.expect.high};
  const auto inside =
      std::ranges::count_if(values, [&](double value) { return stats::lies_in(value, region); });
  const bool split = inside > 0 && inside < std::ssize(values);
  const std::string text =
      "the runs fall into two groups, which no mean describes; ask for the fraction of them in one "
      "group (kind = \"fraction\")";
  if (split) {
    answer.reason = text;
  } else {
    answer.warnings.push_back(text);
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

Estimate estimate_kind(const std::vector<double>& values, const Answer& answer) {
  const std::vector<double> versus = values_of(answer.versus_sample);
  switch (answer.claim.kind) {
    case ClaimKind::kDifference:
    case ClaimKind::kEquivalence:
      return answer.paired ? estimate_mean(values) : estimate_difference(values, versus);
    case ClaimKind::kRatio:
      return answer.paired ? estimate_geometric_mean(values) : estimate_quotient(values, versus);
    case ClaimKind::kMean:
    case ClaimKind::kSlope:
    case ClaimKind::kExponent:
      return estimate_mean(values);
    case ClaimKind::kFraction:
      return estimate_fraction(values);
    case ClaimKind::kTrend:
      return estimate_trend(values, static_cast<int>(answer.where.size() / values.size()));
  }
  throw std::logic_error("a kind of claim that is none");
}

}  // namespace

std::optional<Estimate> weigh(Answer& answer) {
  answer.reason = missing_numbers(answer);
  if (!answer.reason.empty()) return std::nullopt;
  if (const std::string note = diverged_runs(answer); !note.empty()) {
    answer.warnings.push_back(note);
  }
  Sample sample = sample_of(answer);
  answer.reason = sample.refusal;
  answer.sample = std::move(sample.numbers);
  answer.versus_sample = std::move(sample.versus);
  if (!answer.reason.empty()) return std::nullopt;

  const std::vector<double> values = values_of(answer.sample);
  if (answer.claim.kind == ClaimKind::kMean) check_modes(values, answer);
  if (answer.claim.kind == ClaimKind::kFraction) check_zeros_and_ones(values, answer.claim);
  if (!answer.reason.empty()) return std::nullopt;

  const Estimate result = estimate_kind(values, answer);
  answer.estimate = result.value;
  const bool spread =
      answer.sample.size() >= 2 && (answer.paired || answer.versus_sample.size() >= 2);
  if (spread || answer.claim.kind == ClaimKind::kFraction) return result;
  answer.reason = "one seed tells nothing of the spread between seeds";
  return std::nullopt;
}

}  // namespace layerlab::claims
