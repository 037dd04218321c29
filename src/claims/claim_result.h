// A claim with its runs' numbers, its estimate and its verdict.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/experiment.h"
#include "stats/verdict.h"

namespace layerlab::claims {

// Training time of runs by their cells, as far as it is known (record::training_seconds).
using Seconds = std::map<std::string, std::optional<double>>;

// A run's contribution.
struct RunNumber {
  std::string cell;  // its id
  std::uint64_t seed = 0;
  std::optional<double> value = {};
  std::string missing = {};  // why there is no value
  double along = 0;          // its place on the claim's axis, where the kind follows one
  bool diverged = false;
  std::optional<double> found = {};  // the value with which [search] found it
  Seconds seconds = {};              // of the run; of all that a search tried
};

// A seed's contribution: the number of a run, of a pair, or of all runs along an axis.
struct SeedNumber {
  std::uint64_t seed = 0;
  double value = 0;
};

struct ClaimResult {
  config::Claim claim;
  std::vector<RunNumber> where, versus;
  bool paired = true;  // where and versus have the same seeds, else none in common
  // What the estimate is made from; empty when a run has no number. For unpaired comparisons: the
  // numbers of `where` and of `versus`.
  std::vector<SeedNumber> sample, versus_sample;
  std::optional<double> estimate;
  std::optional<stats::Interval> interval;
  std::string method;     // how the interval is made, for people
  double level = 0;       // confidence level of `interval`
  double p = 1;           // the smallest error rate of this claim alone that would allow a verdict
  double p_adjusted = 1;  // the same of the whole file
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  bool as_expected = false;
  bool closed = false;  // by an earlier stage (claims/interim_analysis.h): not judged again
  std::string reason;   // why there is no interval, or what would settle an undecided claim
  std::vector<std::string> warnings;
};

// "confirmed", "refuted", "inconclusive": as a claim's `outcome` says it.
std::string to_text(stats::Verdict verdict);

}  // namespace layerlab::claims
