// From an interval and a region of expected values to a verdict.
#pragma once

#include <functional>
#include <optional>

#include "stats/interval.h"

namespace layerlab::stats {

enum class Verdict {
  kConfirmed,     // the whole interval lies inside the region
  kRefuted,       // the whole interval lies outside
  kInconclusive,  // neither
};

// A region that is infinite on one side is "> a" or "< a" and does not contain a; a region with
// two finite ends contains both.
bool lies_in(double value, const Interval& region);

Verdict judge(const Interval& interval, const Interval& region);

// The p-value of a verdict: the smallest alpha whose interval gives one, to five digits; 1 when
// none does, 0 when even kSurest does. `interval` maps alpha to the interval.
inline constexpr double kSurest = 1e-15;
double decisive_alpha(const std::function<Interval(double)>& interval, const Interval& region);

// About how many values would settle an undecided claim if the further ones were like those at
// hand: the smallest n >= `from` whose interval gives a verdict. Nothing when a million would not.
// `interval` maps n to the interval that is to be expected of n values.
std::optional<int> values_needed(const std::function<Interval(int)>& interval, int from,
                                 const Interval& region);

}  // namespace layerlab::stats
