// The message and the exit code of a worker in which something was thrown.
#pragma once

#include <exception>
#include <string>

namespace layerlab::worker {

struct Failure {
  int code;             // kUserError or kOurBug
  std::string message;  // one line
  std::string excerpt;  // a UserError's, or ""
};

// A UserError, a system that refuses a file or a thread, and memory that ran out are the user's to
// mend. LibTorch's own errors are not: the settings that could cause them are checked before.
Failure failure_of(const std::exception_ptr& thrown);

}  // namespace layerlab::worker
