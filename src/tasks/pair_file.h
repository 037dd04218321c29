#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/task_config.h"

namespace layerlab::tasks {

// Pairs of texts as token ids: id i is vocabulary[i], and the vocabulary is what turns up, sorted.
struct PairFile {
  using Pair = std::array<std::vector<std::int64_t>, 2>;  // input and target, neither empty

  std::vector<std::string> vocabulary;
  std::vector<Pair> pairs;
};

// Reads a pair a line. In a file named *.jsonl a line is {"input": "…", "target": "…"}; in any
// other it is the input, a tab and the target. Tokens are UTF-8 characters, or words between
// white space. Empty lines do not count, and neither does a carriage return at a line's end.
// Throws UserError at path and line for a line that is something else.
PairFile read_pairs(const std::string& path, std::string_view text, Unit unit);

}  // namespace layerlab::tasks
