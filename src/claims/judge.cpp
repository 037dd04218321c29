#include "claims/judge.h"

#include <fmt/format.h>

#include "stats/holm.h"

namespace layerlab::claims {
namespace {

using stats::Interval;
using stats::Verdict;

Interval region_of(const Answer& answer) {
  return {answer.claim.expect.low, answer.claim.expect.high};
}

void judge_at(double alpha, const Estimate& estimate, Answer& answer) {
  const Interval region = region_of(answer);
  answer.interval = estimate.interval(estimate.n, alpha);
  answer.method = estimate.method;
  answer.level = 1 - alpha;
  answer.verdict = stats::judge(*answer.interval, region);
  answer.as_expected = to_text(answer.verdict) == answer.claim.outcome;
  if (answer.verdict != Verdict::kInconclusive) return;
  const std::optional<int> needed = stats::values_needed(
      [&](int n) { return estimate.interval(n, alpha); }, estimate.n + 1, region);
  answer.reason = needed ? fmt::format("about {} seeds like these {} would settle it{}", *needed,
                                       estimate.n, answer.paired ? "" : ", both sides together")
                         : "the estimate lies on the edge of what is expected";
}

}  // namespace

void judge(const std::vector<std::optional<Estimate>>& estimates, std::vector<Answer>& answers,
           double alpha) {
  // A claim's p-value stands in the family that its estimate speaks for, and is 1 in the other.
  std::vector<double> confirming(answers.size(), 1), refuting(answers.size(), 1);
  const auto speaks_for = [&](std::size_t i) -> std::vector<double>& {
    return stats::lies_in(estimates[i]->value, region_of(answers[i])) ? confirming : refuting;
  };
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].closed && answers[i].verdict == Verdict::kConfirmed) confirming[i] = 0;
    if (answers[i].closed && answers[i].verdict == Verdict::kRefuted) refuting[i] = 0;
    if (!estimates[i]) continue;
    const auto interval = [&](double miss) {
      return estimates[i]->interval(estimates[i]->n, miss);
    };
    answers[i].p = stats::decisive_alpha(interval, region_of(answers[i]));
    speaks_for(i)[i] = answers[i].p;
  }

  const stats::Holm confirmed = stats::holm(confirming, alpha);
  const stats::Holm refuted = stats::holm(refuting, alpha);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!estimates[i]) continue;
    const stats::Holm& family = &speaks_for(i) == &confirming ? confirmed : refuted;
    answers[i].p_adjusted = family.adjusted[i];
    judge_at(family.threshold[i], *estimates[i], answers[i]);
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
