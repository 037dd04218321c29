#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Pairs of texts as token ids: id i is vocabulary[i], and the vocabulary is what turns up, sorted.
struct PairFile {
  std::vector<std::string> vocabulary;
  std::vector<Problem> pairs;  // input and target, neither empty
};

// Reads a pair a line. In a file named *.jsonl a line is {"input": "…", "target": "…"}; in any
// other it is the input, a tab and the target. Tokens are UTF-8 characters, or words between
// Unicode's white space. Empty lines, a carriage return at a line's end and a byte-order mark are
// skipped.
// Throws UserError at path and line for a line that is something else.
PairFile read_pairs(const std::string& path, std::string_view text, Unit unit);

}  // namespace layerlab::tasks
