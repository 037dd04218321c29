// A run's settings from TOML and back, by the list of keys in keys.h. Opens no file and compiles no
// equation: validate.h and resolve.h do.
#pragma once

#include <string>

#include "config/run_config.h"
#include "core/toml.h"

namespace layerlab::config {

// Reads one run. `root` holds the tables [task] [model] [train] [probe] [block] and `seed`; all
// are optional. [block] defines the block that model.block names; without it, the catalogue does.
// model.finish replaces that block's. Throws UserError at the offending place for unknown keys
// (with the nearest known one), wrong types and values out of range.
RunConfig read_run_config(const TomlNode& root);

// Throws UserError as read_run_config() does unless `value` may stand under the dotted `key`; what
// is below [block] is not looked at.
void check_value(const std::string& key, const TomlNode& value);

// The run as a tree with every key written, in the order of keys.h: what grids and claims select
// by. The block's `finish` also appears as model.finish, which is where a run replaces it.
TomlNode to_tree(const RunConfig& config);

// The same with `finish` once and only those keys of [task] that the task uses.
TomlNode canonical_tree(const RunConfig& config);

// That as text: what config.toml in a cell holds. Reading it back gives the same text again.
std::string canonical_text(const RunConfig& config);

// What `tree` says beyond `usual`: in the order of `usual`, then what that has not.
TomlNode differences(const TomlNode& tree, const TomlNode& usual);

}  // namespace layerlab::config
