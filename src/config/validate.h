// Settings that cannot go together, each refused where the user wrote it.
#pragma once

#include <string>
#include <vector>

#include "config/run_config.h"
#include "core/toml.h"

namespace layerlab::config {

// Throws UserError where `config`, read from `root`, contradicts itself, sets what has no meaning
// beside its other choices, or has an equation that does not compile. Opens no file.
void validate(const TomlNode& root, const RunConfig& config);

// What runs, but probably not as meant: a warmup longer than the run, L^1/4. One line each.
std::vector<std::string> warnings(const RunConfig& config);

}  // namespace layerlab::config
