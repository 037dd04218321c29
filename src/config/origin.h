// [origin]: runs that begin with the last weights of other runs.
#pragma once

#include <string>
#include <vector>

#include "config/unexpanded_experiment.h"

namespace layerlab::config {

// Sets model.init_from of `cells` to the weights of their origins, which are returned, distinct: of
// each cell its own settings with what the table [origin] replaces. The seed is the same.
// Throws UserError for what is no table of settings, for the seed, and for origins that are no runs
// or begin with other weights themselves.
std::vector<Cell> begin_with_origins(const TomlNode& origin, std::vector<Cell>& cells);

}  // namespace layerlab::config
