// [origin]: runs that begin with the last weights of other runs.
#pragma once

#include <string>
#include <vector>

#include "core/toml.h"

namespace layerlab::config {

// The value of model.init_from that stands for the last weights of a run; an id is what cell_id()
// gives.
std::string weights_of_cell(const std::string& id);
// The id in such a value; "" where it is a file.
std::string origin_of(const std::string& init_from);

// The runs that `runs` begin with: each as its own settings with what [origin] replaces, the seed
// being the same. Sets model.init_from of each. Throws UserError for what is no table of settings
// and for origins that are no runs, or begin with other weights themselves.
std::vector<TomlNode> begin_with_origins(const TomlNode& origin, std::vector<TomlNode>& runs);

}  // namespace layerlab::config
