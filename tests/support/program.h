// Runs a built program as a person would, and keeps what it printed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/process.h"

namespace layerlab {

struct Ended {
  int code = 0;  // or 128 + the signal that killed it, as shells say it
  std::string output, errors;
};

// `arguments[0]` is the program's path; all as sweep::run_to_end has it.
inline Ended run_program(
    const std::vector<std::string>& arguments, const std::vector<std::string>& variables = {},
    const std::function<void(sweep::Process&, const std::string& errors)>& watch = {}) {
  const sweep::Ended ended = sweep::run_to_end(arguments, variables, watch);
  const int code = ended.exit.signal != 0 ? 128 + ended.exit.signal : ended.exit.code;
  return {code, ended.output, ended.errors};
}

}  // namespace layerlab
