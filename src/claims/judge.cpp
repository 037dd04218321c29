#include "claims/judge.h"

#include <fmt/format.h>

#include "stats/holm.h"

namespace layerlab::claims {
namespace {

using stats::Interval;
using stats::Verdict;

Interval region_of(const ClaimResult& result) {
  return {result.claim.expect.low, result.claim.expect.high};
}

void judge_at(double alpha, const Estimate& estimate, ClaimResult& result) {
  const Interval region = region_of(result);
  result.interval = estimate.interval(estimate.n, alpha);
  result.method = estimate.method;
  result.level = 1 - alpha;
  result.verdict = stats::judge(*result.interval, region);
  result.as_expected = to_text(result.verdict) == result.claim.outcome;
  if (result.verdict != Verdict::kInconclusive) return;
  const std::optional<int> needed = stats::values_needed(
      [&](int n) { return estimate.interval(n, alpha); }, estimate.n + 1, region);
  result.reason = needed ? fmt::format("about {} seeds like these {} would settle it{}", *needed,
                                       estimate.n, result.paired ? "" : ", both sides together")
                         : "the estimate lies on the edge of what is expected";
}

}  // namespace

void judge(const std::vector<std::optional<Estimate>>& estimates, std::vector<ClaimResult>& results,
           double alpha) {
  // A claim's p-value belongs to the family that its estimate speaks for; in the other it is 1.
  std::vector<double> confirming(results.size(), 1), refuting(results.size(), 1);
  const auto speaks_for = [&](std::size_t i) -> std::vector<double>& {
    return stats::lies_in(estimates[i]->value, region_of(results[i])) ? confirming : refuting;
  };
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].closed && results[i].verdict == Verdict::kConfirmed) confirming[i] = 0;
    if (results[i].closed && results[i].verdict == Verdict::kRefuted) refuting[i] = 0;
    if (!estimates[i]) continue;
    const auto interval = [&](double miss) {
      return estimates[i]->interval(estimates[i]->n, miss);
    };
    results[i].p = stats::decisive_alpha(interval, region_of(results[i]));
    speaks_for(i)[i] = results[i].p;
  }

  const stats::Holm confirmed = stats::holm(confirming, alpha);
  const stats::Holm refuted = stats::holm(refuting, alpha);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!estimates[i]) continue;
    const stats::Holm& family = &speaks_for(i) == &confirming ? confirmed : refuted;
    results[i].p_adjusted = family.adjusted[i];
    judge_at(family.threshold[i], *estimates[i], results[i]);
  }
}

std::string to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConfirmed:
      return "confirmed";
    case Verdict::kRefuted:
      return "refuted";
    case Verdict::kInconclusive:
      return "inconclusive";
  }
  return {};
}

}  // namespace layerlab::claims
