// Commands that a worker answers with text.
#pragma once

#include <string>
#include <vector>

namespace layerlab::cli {

struct Reply {
  std::string output;
  int code;  // exit_code::kDone or kNotAsExpected
};

// Runs layerlab-worker with the arguments `words` and additional environment `variables`
// (NAME=value) until it ends. Throws UserError when it ends in another way; the reason is the
// worker's last message.
Reply ask_worker(std::vector<std::string> words, const std::vector<std::string>& variables = {});

}  // namespace layerlab::cli
