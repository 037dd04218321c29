#include "stats/verdict.h"

#include <algorithm>
#include <cmath>

namespace layerlab::stats {
namespace {

bool below(double value, const Interval& region) {
  return std::isinf(region.high) ? value <= region.low : value < region.low;
}

bool above(double value, const Interval& region) {
  return std::isinf(region.low) ? value >= region.high : value > region.high;
}

}  // namespace

bool lies_in(double value, const Interval& region) {
  return !below(value, region) && !above(value, region);
}

Verdict judge(const Interval& interval, const Interval& region) {
  if (lies_in(interval.low, region) && lies_in(interval.high, region)) return Verdict::kConfirmed;
  if (below(interval.high, region) || above(interval.low, region)) return Verdict::kRefuted;
  return Verdict::kInconclusive;
}

double decisive_alpha(const std::function<Interval(double)>& interval, const Interval& region) {
  const auto decisive = [&](double log_alpha) {
    return judge(interval(std::exp(log_alpha)), region) != Verdict::kInconclusive;
  };
  // Intervals of smaller alpha contain those of larger ones, so one crossing separates undecided
  // from decided.
  double undecided = std::log(kSurest);
  double decided = 0;
  if (decisive(undecided)) return 0;
  if (!decisive(decided)) return 1;
  while (decided - undecided > 1e-6) {
    const double middle = (undecided + decided) / 2;
    (decisive(middle) ? decided : undecided) = middle;
  }
  return std::exp(decided);
}

std::optional<int> values_needed(const std::function<Interval(int)>& interval, int from,
                                 const Interval& region) {
  constexpr int kMost = 1'000'000;
  const auto decisive = [&](int n) { return judge(interval(n), region) != Verdict::kInconclusive; };
  int undecided = from - 1;
  int decided = from;
  while (!decisive(decided)) {
    if (decided >= kMost) return std::nullopt;
    undecided = decided;
    decided = std::min(2 * decided, kMost);
  }
  while (decided - undecided > 1) {
    const int middle = undecided + (decided - undecided) / 2;
    (decisive(middle) ? decided : undecided) = middle;
  }
  return decided;
}

}  // namespace layerlab::stats
