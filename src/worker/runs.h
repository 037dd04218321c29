// The runs of a pack, as their cells describe them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "config/run_config.h"
#include "record/cell.h"

namespace layerlab::worker {

struct Runs {
  std::vector<record::CellFolder> cells;
  std::vector<config::RunConfig> configs;
  std::vector<std::uint64_t> seeds;

  // Throws UserError where a configuration cannot be read or the cells are of different shapes.
  explicit Runs(const std::vector<std::filesystem::path>& folders);

  const config::RunConfig& shape() const { return configs.front(); }  // what they have in common
  std::vector<std::filesystem::path> records() const;
  at::Tensor clip_limits(const at::TensorOptions& options) const;  // [R]; infinity: no clipping

  // The newest step that every cell has a checkpoint and all its measurements of, else 0.
  std::int64_t common_checkpoint() const;
};

}  // namespace layerlab::worker
