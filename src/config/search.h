// [search]: instead of an axis, the largest value of a setting with which a run passes.
#pragma once

#include <optional>
#include <string>

#include "core/toml.h"

namespace layerlab::config {

// For each combination of the grid's axes the runs with these values, of which those that are small
// enough pass: claims/threshold_search.h looks for the largest of them.
struct Search {
  std::string key;         // dotted, of a run
  TomlNode::Array values;  // at least two numbers, ascending
  std::string passes;      // a measure (claims/measure.h) that is 1 or 0
  Place key_place = {}, passes_place = {};
};

// Nothing where `search` is null. Throws UserError for unknown or missing keys, a setting that no
// run has or that is the seed, and values that are not numbers in ascending order.
std::optional<Search> read_search(const TomlNode* search);

// Replaces what its table says under `key`. Throws UserError as read_search() does, and for "key":
// the largest value of another setting is another question.
void replace_in(Search& search, const std::string& key, const TomlNode& value);

// Throws UserError at `place` where `key` is what is searched, which nobody else may set.
void check_not_searched(const std::optional<Search>& search, const std::string& key,
                        const Place& place);

// The table that read_search() would read it from.
TomlNode to_tree(const Search& search);

}  // namespace layerlab::config
