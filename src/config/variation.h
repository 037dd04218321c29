// What a command changes of an experiment file, and how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/draft.h"
#include "core/toml.h"

namespace layerlab::config {

struct Variation {
  // "key=value" with a key of a run, which replaces the grid's axis of that name,
  // "grid.key=[...]", which sets an axis, or "search.values=[...]" and "search.passes=…".
  std::vector<std::string> overrides = {};
  int seeds = 0;                  // > 0: these, from 1 on, instead of the grid's
  bool quick = false;             // with what the file's table [quick] replaces
  std::uint64_t seed_offset = 0;  // added to every seed, of runs and of claims' selections
};

// Replaces what [quick] names: each of its keys is as that of an override. Throws UserError for
// what is no table, and as overrides do.
void apply_quick(const TomlNode& quick, Draft& draft);

// Applies overrides, then seeds. Throws UserError for unknown keys, for axes without values, for
// what is searched, and for seeds that are set in both ways.
void apply_overrides(const Variation& variation, Draft& draft);

// Adds to the seeds of all runs.
void shift_seeds(Draft& draft, std::uint64_t offset);

// Adds to the seeds that claims select, in the array of their tables. What is no claim or no seed
// is left to read_claims() to refuse.
void shift_seeds(TomlNode& claims, std::uint64_t offset);

}  // namespace layerlab::config
