// What is known of a claim once its runs are trained.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/experiment.h"
#include "stats/verdict.h"

namespace layerlab::claims {

// What one run contributed.
struct RunNumber {
  std::string cell;  // its id
  std::uint64_t seed = 0;
  std::optional<double> value;
  std::string missing;  // why there is no value
};

struct Answer {
  config::Claim claim;
  std::vector<RunNumber> where, versus;
  std::optional<double> estimate;  // absent when a run has no number
  std::optional<stats::Interval> interval;
  double level = 0;       // confidence level of `interval`
  double p_adjusted = 1;  // the smallest error rate of the whole file that would allow a verdict
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  bool as_expected = false;
  std::string reason;  // why there is no interval, or what would settle an undecided claim
  std::vector<std::string> warnings;
};

// "confirmed", "refuted", "inconclusive": as a claim's `outcome` says it.
std::string to_text(stats::Verdict verdict);

}  // namespace layerlab::claims
