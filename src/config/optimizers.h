// The optimisers: what a configuration and an estimate must know of each. One row here and one of
// train/optimizers.cpp, which has the formulas, make an optimiser (docs/extending.md).
//   const bool counts = config::optimizer(train.optimizer).uses("train.betas");
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "config/run_config.h"

namespace layerlab::config {

struct OptimizerRow {
  OptimizerKind kind;
  std::string_view name;  // as users write it
  // Numbers that it remembers of each parameter, by their names in checkpoints; "": none.
  std::array<std::string_view, 2> states;
  // Keys of [train] that have a meaning with it, but not with every optimiser; "": none.
  std::array<std::string_view, 2> keys;

  constexpr std::size_t state_count() const {
    return states.size() - static_cast<std::size_t>(std::ranges::count(states, ""));
  }
  constexpr bool remembers(std::string_view state) const {
    return std::ranges::find(states, state) != states.end();
  }
  constexpr bool uses(std::string_view key) const {
    return std::ranges::find(keys, key) != keys.end();
  }
};

// In the enumerators' order.
inline constexpr std::array<OptimizerRow, 7> kOptimizers = {{
    {OptimizerKind::kSgd, "sgd", {}, {}},
    {OptimizerKind::kMomentum, "momentum", {"velocity"}, {"train.momentum"}},
    {OptimizerKind::kAdam, "adam", {"first_moment", "second_moment"}, {"train.betas", "train.eps"}},
    {OptimizerKind::kAdamW,
     "adamw",
     {"first_moment", "second_moment"},
     {"train.betas", "train.eps"}},
    {OptimizerKind::kRadam,
     "radam",
     {"first_moment", "second_moment"},
     {"train.betas", "train.eps"}},
    {OptimizerKind::kLion, "lion", {"first_moment"}, {"train.betas"}},
    {OptimizerKind::kGiAdam,
     "gi_adam",
     {"first_moment", "second_moment"},
     {"train.betas", "train.eps"}},
}};

constexpr const OptimizerRow& optimizer(OptimizerKind kind) {
  return kOptimizers[static_cast<std::size_t>(kind)];
}

}  // namespace layerlab::config
