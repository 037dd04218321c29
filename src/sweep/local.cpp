#include "sweep/local.h"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <list>
#include <utility>

#include "core/exit_code.h"
#include "sweep/process.h"
#include "sweep/signals.h"
#include "sweep/worker.h"

namespace layerlab::sweep {
namespace {

constexpr std::size_t kLastLines = 3;  // of a crashed worker's standard error that are shown

// Cuts a stream into lines.
class Lines {
 public:
  template <typename Take>
  void add(const std::string& text, Take&& take) {
    rest_ += text;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = rest_.find('\n', begin)) != std::string::npos;) {
      take(rest_.substr(begin, end - begin));
      begin = end + 1;
    }
    rest_.erase(0, begin);
  }
  // The last line, when it lacks its newline.
  template <typename Take>
  void finish(Take&& take) {
    if (!rest_.empty()) take(std::exchange(rest_, {}));
  }

 private:
  std::string rest_;
};

struct Worker {
  std::size_t pack;
  Process process;
  Lines output, errors;
  std::deque<std::string> last_errors;
  std::size_t ended_cells = 0;

  bool ended() const { return process.output() < 0 && process.errors() < 0; }
};

std::vector<std::string> command(const Pack& pack, const LocalOptions& options) {
  std::vector<std::string> words = {
      options.worker.string(), "train",     "--device",
      options.device,          "--threads", std::to_string(options.threads)};
  words.emplace_back("--");  // paths may begin with a dash
  for (const record::CellFolder& cell : pack.cells) words.push_back(cell.root.string());
  return words;
}

std::string names_of(const Pack& pack) {
  std::string text = "cell " + pack.cells.front().root.filename().string().substr(0, 8);
  if (pack.cells.size() > 1) text += " and " + std::to_string(pack.cells.size() - 1) + " more";
  return text;
}

std::string joined(const std::deque<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : " | ") + line;
  return text.empty() ? "it said nothing" : text;
}

class Local {
 public:
  Local(const std::vector<Pack>& packs, const LocalOptions& options, const LocalListener& listener)
      : packs_(packs), options_(options), listener_(listener) {}

  LocalOutcome train() {
    while (true) {
      if (milliseconds_left() == 0) run_out_of_time();
      start_workers();
      if (workers_.empty()) return outcome_;
      wait_for_news();
      if (const int stops = signals_.take(); stops > 0) stop(stops);
      for (auto worker = workers_.begin(); worker != workers_.end();) {
        listen(*worker);
        if (worker->ended()) {
          bury(*worker);
          worker = workers_.erase(worker);
        } else {
          ++worker;
        }
      }
    }
  }

 private:
  bool stopping() const { return outcome_.interrupted || outcome_.out_of_time; }

  // To the deadline, for poll(): -1 where there is none to wait for.
  int milliseconds_left() const {
    if (!options_.deadline || stopping()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        *options_.deadline - std::chrono::steady_clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
  }

  void run_out_of_time() {
    if (workers_.empty() && next_ == packs_.size()) return;
    outcome_.out_of_time = true;
    for (const Worker& worker : workers_) worker.process.send(SIGINT);
  }

  void start_workers() {
    while (!stopping() && next_ < packs_.size() &&
           workers_.size() < static_cast<std::size_t>(options_.jobs)) {
      workers_.push_back(
          {next_,
           Process(command(packs_[next_], options_), thread_variables(options_.threads)),
           {},
           {},
           {},
           0});
      ++next_;
    }
  }

  void wait_for_news() {
    std::vector<pollfd> files = {{signals_.file(), POLLIN, 0}};
    for (const Worker& worker : workers_) {
      // poll() ignores negative files.
      files.push_back({worker.process.output(), POLLIN, 0});
      files.push_back({worker.process.errors(), POLLIN, 0});
    }
    ::poll(files.data(), files.size(), milliseconds_left());
  }

  void stop(int count) {
    const bool again = outcome_.interrupted || count > 1;
    if (!again && !workers_.empty()) {
      listener_.on_event(workers_.front().pack,
                         Message{Level::kInfo, "stopping; once more, and workers are killed"});
    }
    outcome_.interrupted = true;
    for (const Worker& worker : workers_) worker.process.send(again ? SIGKILL : SIGINT);
  }

  void listen(Worker& worker) {
    const auto on_output = [&](const std::string& line) { hear(worker, line); };
    const auto on_error = [&](const std::string& line) {
      listener_.on_log(line);
      worker.last_errors.push_back(line);
      if (worker.last_errors.size() > kLastLines) worker.last_errors.pop_front();
    };
    worker.output.add(worker.process.read_output(), on_output);
    worker.errors.add(worker.process.read_errors(), on_error);
    if (worker.process.output() < 0) worker.output.finish(on_output);
    if (worker.process.errors() < 0) worker.errors.finish(on_error);
  }

  void hear(Worker& worker, const std::string& line) {
    const std::optional<Event> event = parse_line(line);
    if (!event) return listener_.on_log(line);
    if (const auto* cell = std::get_if<CellEnded>(&*event)) {
      const bool finished = cell->state == record::CellState::kFinished;
      ++(finished ? outcome_.finished : outcome_.diverged);
      ++worker.ended_cells;
    }
    listener_.on_event(worker.pack, *event);
  }

  void bury(Worker& worker) {
    const Exit exit = worker.process.wait();
    listener_.on_end(worker.pack);
    const bool complete = worker.ended_cells == packs_[worker.pack].cells.size();
    if (exit.signal == 0 && exit.code == 0 && complete) return;
    // A worker that had not come to its own handlers yet dies of the signal itself.
    if (stopping() && (exit.signal != 0 || exit.code == exit_code::kInterrupted)) return;
    if (exit.code == exit_code::kUserError) {
      ++outcome_.refused;
      return tell(worker.pack, worker.last_errors.empty() ? "the worker refused its cells"
                                                          : worker.last_errors.back());
    }
    ++outcome_.crashed;
    tell(worker.pack, "the worker of " + names_of(packs_[worker.pack]) + " ended with " +
                          exit.text() + ": " + joined(worker.last_errors));
  }

  void tell(std::size_t pack, const std::string& text) {
    listener_.on_event(pack, Message{Level::kError, text});
  }

  const std::vector<Pack>& packs_;
  const LocalOptions& options_;
  const LocalListener& listener_;
  StopSignals signals_;
  std::list<Worker> workers_;
  std::size_t next_ = 0;
  LocalOutcome outcome_;
};

}  // namespace

LocalOutcome train_locally(const std::vector<Pack>& packs, const LocalOptions& options,
                           const LocalListener& listener) {
  return Local(packs, options, listener).train();
}

}  // namespace layerlab::sweep
