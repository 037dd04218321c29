// Commands that a worker results with text.
#pragma once

#include <string>
#include <vector>

namespace layerlab::cli {

struct Reply {
  std::string output;
  int code;  // exit_code::kDone or kNotAsExpected
};

// Runs layerlab-worker with `words` to its end, and with more environment `variables` (NAME=value).
// Throws UserError where it ends in another way; its
// reason is what the worker said last.
Reply ask_worker(std::vector<std::string> words, const std::vector<std::string>& variables = {});

}  // namespace layerlab::cli
