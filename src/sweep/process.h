// A child process whose output is read through pipes.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace layerlab::sweep {

// The exit code of a program that could not be started, from here or from the loader.
inline constexpr int kCannotStart = 127;

// How a process ended.
struct Exit {
  int code = 0;    // when signal == 0
  int signal = 0;  // that killed it

  // "exit code 3", "signal 11 (Segmentation fault)".
  std::string text() const;
};

class Process {
 public:
  // Starts `arguments[0]` with the environment of this process plus `variables` ("NAME=value").
  // Standard input is empty. The child gets SIGTERM when this process dies, so that none is left
  // behind. Throws std::system_error when the system has no room for another process; a program
  // that is not there ends with kCannotStart and says so on its standard error.
  Process(const std::vector<std::string>& arguments, const std::vector<std::string>& variables);
  ~Process();  // kills and waits where wait() has not been called
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;

  // Read ends, non-blocking; -1 once the child has closed its side.
  int output() const { return output_; }
  int errors() const { return errors_; }

  // What has arrived on a read end, which becomes -1 at its end.
  std::string read_output() { return read_available(output_); }
  std::string read_errors() { return read_available(errors_); }

  void send(int signal) const;
  Exit wait();

 private:
  static std::string read_available(int& file);

  pid_t pid_ = -1;
  int output_ = -1, errors_ = -1;
};

// A process that has ended, and all that it printed.
struct Ended {
  Exit exit;
  std::string output, errors;

  // Why it failed: the last line of `errors`, or how it ended where there is none.
  std::string reason() const;
};

// Runs a program to its end. `variables` as Process has them. `watch`, if any, is called whenever
// something was printed, with the process and the standard error so far.
Ended run_to_end(const std::vector<std::string>& arguments,
                 const std::vector<std::string>& variables = {},
                 const std::function<void(Process&, const std::string& errors)>& watch = {});

// Without its last newlines, what follows the newline before.
std::string last_line(std::string text);

}  // namespace layerlab::sweep
