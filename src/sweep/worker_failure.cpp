#include "sweep/worker_failure.h"

#include <csignal>
#include <cstdlib>

#include "core/exit_code.h"

namespace layerlab::sweep {
namespace {

constexpr std::size_t kLastLines = 3;  // of standard error that are told

struct Signal {
  int number;
  int code;
  const char* meaning;
};
constexpr Signal kSignals[] = {
    {SIGKILL, exit_code::kUserError,
     "was killed, perhaps because memory ran out; lower --jobs, --replicas or the model's size"},
    {SIGXFSZ, exit_code::kUserError, "reached the limit on the size of files; raise ulimit -f"},
    {SIGXCPU, exit_code::kUserError, "reached the limit on processor time; raise ulimit -t"},
    {SIGINT, exit_code::kInterrupted, "was stopped by a signal; the same command resumes"},
    {SIGTERM, exit_code::kInterrupted, "was stopped by a signal; the same command resumes"},
};

// Words of libraries to which the system refused something.
struct Lack {
  const char* said;
  const char* meaning;
};
constexpr Lack kLacks[] = {
    {"bad_alloc", "ran out of memory; lower --jobs, --replicas or the model's size"},
    {"Thread creation failed", "could not start its threads; lower --threads or raise ulimit -u"},
};

std::string joined(const std::deque<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : " | ") + line;
  return text.empty() ? "it said nothing" : text;
}

}  // namespace

void LastWords::add(const std::string& line) {
  errors.push_back(line);
  if (errors.size() > kLastLines) errors.pop_front();
}

WorkerFailure explain(const Exit& exit, const LastWords& words, const std::string& name,
                      const std::filesystem::path& program) {
  for (const Signal& signal : kSignals) {
    if (exit.signal == signal.number) return {signal.code, name + " " + signal.meaning};
  }
  const std::string said = joined(words.errors);
  const bool exited = exit.signal == 0;
  if (exited && exit.code == exit_code::kUserError && !words.errors.empty()) {
    return {exit_code::kUserError, words.errors.back()};
  }
  if (exited && exit.code == exit_code::kInterrupted) {
    return {exit_code::kInterrupted, name + " was stopped by a signal; the same command resumes"};
  }
  if (exited && exit.code == kCannotStart) {
    return {exit_code::kUserError, name + " could not be started: " + said +
                                       "; is memory limited (ulimit -v)? see layerlab doctor"};
  }
  for (const Lack& lack : kLacks) {
    if (said.find(lack.said) != std::string::npos) {
      return {exit_code::kUserError, name + " " + lack.meaning};
    }
  }
  const std::string end = "ended with " + exit.text() + ": " + said;
  if (exited && !words.spoke && std::getenv("LAYERLAB_WORKER") != nullptr) {
    return {exit_code::kUserError, program.string() + ": is no layerlab-worker, as it " + end +
                                       "; correct LAYERLAB_WORKER"};
  }
  if (!words.misunderstood.empty()) {
    return {exit_code::kOurBug, name + " said what makes no sense: " + words.misunderstood};
  }
  return {exit_code::kOurBug, name + " " + end};
}

}  // namespace layerlab::sweep
