// Runs a built program as a person would, and keeps what it printed.
#pragma once

#include <poll.h>

#include <functional>
#include <string>
#include <vector>

#include "sweep/process.h"

namespace layerlab {

struct Ended {
  int code = 0;  // or 128 + the signal that killed it, as shells say it
  std::string output, errors;
};

// `arguments[0]` is the program's path. `watch`, if any, is called whenever something was printed,
// with the process and the standard error so far.
inline Ended run_program(
    const std::vector<std::string>& arguments, const std::vector<std::string>& variables = {},
    const std::function<void(sweep::Process&, const std::string& errors)>& watch = {}) {
  sweep::Process process(arguments, variables);
  Ended ended;
  while (process.output() >= 0 || process.errors() >= 0) {
    pollfd files[] = {{process.output(), POLLIN, 0}, {process.errors(), POLLIN, 0}};
    ::poll(files, 2, -1);
    ended.output += process.read_output();
    ended.errors += process.read_errors();
    if (watch) watch(process, ended.errors);
  }
  const sweep::Exit exit = process.wait();
  ended.code = exit.signal != 0 ? 128 + exit.signal : exit.code;
  return ended;
}

}  // namespace layerlab
