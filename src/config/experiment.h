// An experiment file: defaults, a grid over them, and claims about the outcome.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/draft.h"
#include "config/variation.h"

namespace layerlab::config {

// What is estimated from one number a run; docs/statistics.md has the formulas.
enum class ClaimKind {
  kMean,
  kRatio,        // to the runs of `versus`
  kDifference,   // from the runs of `versus`
  kEquivalence,  // the same, expected inside a margin
  kFraction,     // of runs whose measure is 1
  kSlope,        // of the measure over the axis `along`
  kExponent,     // the same, both on logarithmic scales
  kTrend,        // Kendall's tau between the measure and the axis `along`
};

// What a run that diverged counts as.
enum class DivergedRule {
  kUndecided,  // the number its record still gives; without one the claim is undecided
  kChance,     // losses that it no longer has are the loss of guessing
  kFailure,    // kind = fraction: 0, whatever its record says
};

// Numbers that an estimate may be expected in: "> a", "< a", "a .. b", "a +- b".
struct Region {
  double low, high;  // -inf or +inf where open
  std::string text;  // as written
};

// Which runs: those that have one of the values under every key.
using Selection = std::vector<Axis>;

struct Claim {
  std::string id, source, statement;
  Selection where;
  Selection versus;     // the runs that those of `where` are compared with; see compares()
  std::string along;    // dotted key of the axis; see follows_axis()
  std::string measure;  // SQL over one run's record, one number per run
  ClaimKind kind = ClaimKind::kMean;
  DivergedRule diverged = DivergedRule::kUndecided;
  Region expect{};
  std::string outcome = "confirmed";  // confirmed | refuted | inconclusive: what we expect to find
  Place place, measure_place, along_place;
};

bool compares(ClaimKind kind);      // needs `versus`
bool follows_axis(ClaimKind kind);  // needs `along`

bool selects(const Selection& selection, const Cell& cell);

struct Experiment {
  std::string title;
  // What people call it: the file's stem, the parent folder's name for ".../experiment.toml", and
  // "run" without a file.
  std::string study;
  // The folder of its results: as `study`, followed by what makes another experiment of it:
  // "-quick", "-seeds+N" by an offset, a hash by overrides.
  std::string name;
  std::vector<Cell> cells;    // cells_of()
  std::vector<Cell> origins;  // with whose last weights these begin, where there is an [origin]
  std::optional<Search> search;
  std::vector<std::string> axes;  // dotted keys of the grid, in the file's order; then search.key
  std::vector<Claim> claims;      // those that select at least one run
  std::vector<std::string> warnings;  // one line each, for people
  std::string resolved_text;          // a file that says the same with every default written
};

// Reads FILE ("" for the defaults alone; a folder stands for the one TOML file in it), varies it
// and expands the grid. A file without [quick] is the same in both sizes. Throws UserError for
// whatever is wrong, also an empty grid, claims that select no run in one of the two sizes, and an
// axis, a claim or a variation that sets what is searched. Where overrides are what leaves a claim
// without runs, the claim is dropped.
Experiment load_experiment(const std::string& file, const Variation& variation = {});

}  // namespace layerlab::config
