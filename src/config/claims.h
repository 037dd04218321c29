// The [[claim]] tables of an experiment file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/unexpanded_experiment.h"
#include "core/name_list.h"

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
constexpr auto enum_names(ClaimKind) {
  return name_list("mean", "ratio", "difference", "equivalence", "fraction", "slope", "exponent",
                   "trend");
}

bool compares(ClaimKind kind);      // needs `versus`
bool follows_axis(ClaimKind kind);  // needs `along`

// What a run that diverged counts as.
enum class DivergedRule {
  kUndecided,  // the number its record still gives; without one the claim is undecided
  kChance,     // losses that it no longer has are the loss of guessing
  kFailure,    // kind = fraction: 0, whatever its record says
};
constexpr auto enum_names(DivergedRule) { return name_list("undecided", "chance", "failure"); }

// Numbers that an estimate may be expected in: "> a", "< a", "a .. b", "a +- b".
struct Region {
  double low, high;  // -inf or +inf where open
  std::string text;  // as written
};

// Throws UserError at `place` for a text that is none of these.
Region parse_region(const std::string& text, const Place& place);

// Which runs: those that have one of the values under every key.
using Selection = std::vector<Axis>;
bool selects(const Selection& selection, const Cell& cell);

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
  TomlNode table;  // as written
};

// Reads all claims strictly; none where `claims` is null. Throws UserError for unknown or missing
// keys, unknown kinds, an expectation that cannot be read, selections by keys or values that no run
// can have, ids used twice, a `versus`, `along` or `diverged` that is missing or out of place, and
// claims that set what is searched.
std::vector<Claim> read_claims(const TomlNode* claims,
                               const std::optional<Search>& search = std::nullopt);

// What is wrong where a value in the claim's selections is that of none of the cells that they
// select. The cells are called by `word`: "run".
std::optional<UserError> selects_nothing(const Claim& claim, const std::vector<Cell>& cells,
                                         const std::string& word);

}  // namespace layerlab::config
