// An experiment file: defaults, a grid over them, and claims about the outcome.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/run_config.h"

namespace layerlab::config {

enum class ClaimKind { kMean, kRatio, kFraction };

// Numbers that an estimate may be expected in: "> a", "< a", "a .. b", "a +- b".
struct Region {
  double low, high;  // -inf or +inf where open
  std::string text;  // as written
};

// Which runs: dotted keys and the values they must have, as in the grid.
using Selection = std::vector<std::pair<std::string, TomlNode>>;

struct Claim {
  std::string id, source, statement;
  Selection where;
  Selection versus;     // kind = ratio: the denominator's runs, paired by seed
  std::string measure;  // SQL over one run's record, one number per run
  ClaimKind kind = ClaimKind::kMean;
  Region expect{};
  std::string outcome = "confirmed";  // confirmed | refuted | inconclusive: what we expect to find
  Place place, measure_place;
};

// One run of the grid, and the settings that select it.
struct Cell {
  RunConfig config;
  std::string id;
  TomlNode settings;  // the resolved TOML tree that `where` is matched against
};

struct Experiment {
  std::string title;
  std::string name;  // the folder of its results: file stem, or the folder's name for "x/x.toml"
  std::vector<Cell> cells;
  std::vector<std::string> axes;  // dotted keys of the grid, in the file's order
  std::vector<Claim> claims;
  std::string resolved_text;
};

// Reads FILE ("" for the defaults alone), applies overrides "key=value" and expands the grid.
// `seeds` > 0 replaces the grid's seeds by 1..seeds.
// Throws UserError for whatever is wrong, also an empty grid or claims that select no run.
Experiment load_experiment(const std::string& file, const std::vector<std::string>& overrides,
                           int seeds = 0);

}  // namespace layerlab::config
