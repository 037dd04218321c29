// A run as its cell stores it: the settings, and where training can go on.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "config/run_config.h"
#include "record/cell.h"

namespace layerlab::worker {

// The settings of config.toml. Where the run begins with the weights of another, model.init_from is
// their file. Throws UserError where they cannot be read, and where that other run has not
// finished.
config::RunConfig read_run(const record::CellFolder& cell);

// The newest step up to `latest` that the cell has a whole checkpoint of and all measurements
// before it, else 0. `warn` hears of files that are damaged.
std::int64_t newest_whole_step(const record::CellFolder& cell,
                               const std::function<void(const std::string&)>& warn,
                               std::int64_t latest = std::numeric_limits<std::int64_t>::max());

}  // namespace layerlab::worker
