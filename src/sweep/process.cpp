#include "sweep/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace layerlab::sweep {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  return ends;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> result = variables;  // the first of two equal names wins
  for (char** entry = environ; *entry != nullptr; ++entry) result.emplace_back(*entry);
  return result;
}

// Between fork and exec only system calls are safe.
[[noreturn]] void become(const std::vector<char*>& arguments, const std::vector<char*>& environment,
                         pid_t parent, int output, int errors) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(0);  // it died before the line above
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);  // the parent may wait for signals by signalfd
  ::signal(SIGHUP, SIG_IGN);  // when the terminal goes, the parent asks the child to stop
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::execve(arguments[0], arguments.data(), environment.data());
  const char* const reason = ::strerror(errno);
  ::dprintf(STDERR_FILENO, "cannot start %s: %s\n", arguments[0], reason);
  ::_exit(kCannotStart);
}

}  // namespace

std::string Exit::text() const {
  if (signal == 0) return "exit code " + std::to_string(code);
  return "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

Process::Process(const std::vector<std::string>& arguments,
                 const std::vector<std::string>& variables) {
  const std::vector<std::string> environment = environment_with(variables);
  const std::vector<char*> argument_list = pointers(arguments);
  const std::vector<char*> environment_list = pointers(environment);
  const std::array<int, 2> output = make_pipe();
  const std::array<int, 2> errors = make_pipe();
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) become(argument_list, environment_list, parent, output[1], errors[1]);
  const int fork_error = errno;
  ::close(output[1]);
  ::close(errors[1]);
  output_ = output[0];
  errors_ = errors[0];
  if (pid_ < 0) {
    ::close(output_);
    ::close(errors_);
    errno = fork_error;
    fail("fork");
  }
  ::fcntl(output_, F_SETFL, O_NONBLOCK);
  ::fcntl(errors_, F_SETFL, O_NONBLOCK);
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_(std::exchange(other.output_, -1)),
      errors_(std::exchange(other.errors_, -1)) {}

Process::~Process() {
  if (output_ >= 0) ::close(output_);
  if (errors_ >= 0) ::close(errors_);
  if (pid_ < 0) return;
  send(SIGKILL);
  wait();
}

std::string Process::read_available(int& file) {
  std::string text;
  char buffer[4096];
  while (file >= 0) {
    const ssize_t bytes = ::read(file, buffer, sizeof buffer);
    if (bytes > 0) {
      text.append(buffer, static_cast<std::size_t>(bytes));
    } else if (bytes < 0 && errno == EINTR) {
      continue;
    } else if (bytes < 0 && errno == EAGAIN) {
      break;
    } else {
      ::close(std::exchange(file, -1));
    }
  }
  return text;
}

void Process::send(int signal) const {
  if (pid_ > 0) ::kill(pid_, signal);
}

Exit Process::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

std::string Ended::reason() const {
  return errors.empty() ? "it ended with " + exit.text() : last_line(errors);
}

Ended run_to_end(const std::vector<std::string>& arguments,
                 const std::vector<std::string>& variables,
                 const std::function<void(Process&, const std::string& errors)>& watch) {
  Process process(arguments, variables);
  Ended ended;
  while (process.output() >= 0 || process.errors() >= 0) {
    pollfd files[] = {{process.output(), POLLIN, 0}, {process.errors(), POLLIN, 0}};
    ::poll(files, 2, -1);
    ended.output += process.read_output();
    ended.errors += process.read_errors();
    if (watch) watch(process, ended.errors);
  }
  ended.exit = process.wait();
  return ended;
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace layerlab::sweep
