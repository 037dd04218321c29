// A run's name, which outlives the program: a hash of the settings that differ from a set of
// defaults that never changes (defaults.toml).
#pragma once

#include <string>

#include "config/run_config.h"
#include "core/toml.h"

namespace layerlab::config {

// A set of defaults that ids are computed against. A new key enters it with the default that it has
// when it is introduced, which changes no id. A default that changes later stays in the set as it
// was: runs that leave it out now differ from the set, and so have other ids than earlier ones.
struct IdentityDefaults {
  int number = 1;  // part of every id: raise it only to rename every run there is
  TomlNode tree;   // of the form of to_tree(RunConfig)
};

// defaults.toml.
const IdentityDefaults& identity_defaults();

// The name of the cell of a run: equal runs have equal ids, whatever file, grid or override they
// came from. Names of blocks, spaces in equations, paths of files and where results lie are no part
// of it. REQUIRES: `config` is resolved.
std::string cell_id(const RunConfig& config);

// The same against another set. `tree` is that of a run as to_tree() gives it.
std::string id_of(const TomlNode& tree, const IdentityDefaults& defaults);

// The settings of a stored run (config.toml), where the keys that its version did not know have the
// defaults that they were introduced with. Throws UserError as read_run_config() does.
RunConfig read_stored_run(const TomlNode& root);

// The same for all runs that can train as replicas of one model: everything except the seed, the
// learning rate and its schedule, and the optimiser's numbers: momentum, betas, eps, weight decay
// and clip.
std::string pack_key(const RunConfig& config);

}  // namespace layerlab::config
