// A grid: some keys of a run, each with the values that it takes.
#pragma once

#include <string>
#include <vector>

#include "core/toml.h"

namespace layerlab::config {

struct Axis {
  std::string key;  // dotted, of a run
  TomlNode::Array values;
};

// The axes of [grid], in the file's order; none where `grid` is null. Values are an array, or a
// range of integers "1..5". Throws UserError for unknown keys, for axes without values and for one
// that is written twice, as "train.lr" and as train.lr.
std::vector<Axis> read_axes(const TomlNode* grid);

// One axis; `values` is what a user wrote for it.
Axis read_axis(const std::string& key, const TomlNode& values);

// Some of an axis's values: written as an axis, or as the one value.
Axis read_choice(const std::string& key, const TomlNode& values);

// `base` once for every combination, the last axis turning fastest. An axis wins over what `base`
// says. Throws UserError for more than 100000 combinations.
std::vector<TomlNode> expand(const TomlNode& base, const std::vector<Axis>& axes);

// The table [grid] that read_axes() would read these axes from.
TomlNode to_tree(const std::vector<Axis>& axes);

}  // namespace layerlab::config
