// What a command changes of an experiment file, and how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/unexpanded_experiment.h"
#include "core/toml.h"

namespace layerlab::config {

struct Overrides {
  // "key=value" with a key of a run, which replaces the grid's axis of that name,
  // "grid.key=[...]", which sets an axis, or "search.values=[...]" and "search.passes=…".
  std::vector<std::string> settings = {};
  int seeds = 0;                  // > 0: these, from 1 on, instead of the grid's
  bool quick = false;             // with what the file's table [quick] replaces
  std::uint64_t seed_offset = 0;  // added to every seed, of runs and of claims' selections
  // As `settings`, but of the command itself: applied last, over what the user sets.
  std::vector<std::string> command_settings = {};

  bool replace_settings() const { return !settings.empty() || !command_settings.empty(); }
};

// Replaces what [quick] names: each of its keys is as that of an override. Throws UserError for
// what is no table, and as apply_overrides() does.
void apply_quick(const TomlNode& quick, UnexpandedExperiment& experiment);

// Applies settings, then seeds. Throws UserError for unknown keys, axes without values, what is
// searched, and a key that is set twice.
void apply_overrides(const Overrides& overrides, UnexpandedExperiment& experiment);

// Adds to the seeds of all runs. Throws UserError for a sum that is no seed.
void shift_seeds(UnexpandedExperiment& experiment, std::uint64_t offset);

// Adds to the seeds that claims select, in the array of their tables. Leaves what is no claim or no
// seed for read_claims() to refuse. Throws UserError for a sum that is no seed.
void shift_seeds(TomlNode& claims, std::uint64_t offset);

}  // namespace layerlab::config
