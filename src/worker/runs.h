// The runs of a pack, as their cells describe them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "record/cell.h"

namespace layerlab::worker {

struct Runs {
  std::vector<record::CellFolder> cells;
  std::vector<config::RunConfig> configs;  // model.init_from is a file in all of them

  // Throws UserError where a configuration cannot be read or the cells are of different shapes,
  // and for one that begins with the weights of a run that has not finished.
  explicit Runs(const std::vector<std::filesystem::path>& folders);

  const config::RunConfig& shape() const { return configs.front(); }  // what they have in common
  std::vector<std::filesystem::path> records() const;

  // The newest step up to `latest` that every cell has a whole checkpoint and all its measurements
  // of, else 0. `warn` hears of files that are damaged.
  std::int64_t common_checkpoint(
      const std::function<void(const std::string&)>& warn,
      std::int64_t latest = std::numeric_limits<std::int64_t>::max()) const;
};

}  // namespace layerlab::worker
