#include "sweep/local.h"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <list>
#include <utility>

#include "core/exit_code.h"
#include "core/names.h"
#include "sweep/process.h"
#include "sweep/signals.h"
#include "sweep/worker.h"
#include "sweep/worker_failure.h"

namespace layerlab::sweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLookEvery(1);  // at runs that other processes train

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

// The part of a pack that is still to be trained.
struct Job {
  std::size_t pack;
  std::vector<record::CellFolder> cells;
};

struct Worker {
  Job job;  // cells leave it when they are heard of
  Process process;
  std::string name;
  Lines output = {}, errors = {};
  LastWords last_words = {};

  bool ended() const { return process.output() < 0 && process.errors() < 0; }
};

std::vector<std::string> command(const Job& job, const LocalOptions& options) {
  std::vector<std::string> words = {
      options.worker.string(), "train",     "--device",
      options.device,          "--threads", std::to_string(options.threads)};
  words.emplace_back("--");  // paths may begin with a dash
  for (const record::CellFolder& cell : job.cells) words.push_back(cell.root.string());
  return words;
}

// "cell 3f9c0a12 and 2 more".
std::string names_of(const std::vector<record::CellFolder>& cells) {
  std::string text = "cell " + cells.front().root.filename().string().substr(0, 8);
  if (cells.size() > 1) text += " and " + std::to_string(cells.size() - 1) + " more";
  return text;
}

class Local {
 public:
  Local(const std::vector<Pack>& packs, const LocalOptions& options, const LocalListener& listener)
      : options_(options), listener_(listener) {
    for (std::size_t i = 0; i < packs.size(); ++i) queue_.push_back({i, packs[i].cells});
  }

  LocalOutcome train() {
    while (true) {
      if (milliseconds_to(options_.deadline) == 0) run_out_of_time();
      start_workers();
      if (workers_.empty() && (stopping() || (queue_.empty() && elsewhere_.empty()))) break;
      wait_for_news();
      if (const int stops = signals_.take(); stops > 0) stop(stops);
      for (auto worker = workers_.begin(); worker != workers_.end();) {
        listen(*worker);
        if (worker->ended()) {
          reap(*worker);
          worker = workers_.erase(worker);
        } else {
          ++worker;
        }
      }
    }
    outcome_.elsewhere = cells_elsewhere();
    return outcome_;
  }

 private:
  bool stopping() const { return outcome_.interrupted || outcome_.out_of_time; }
  bool has_room() const { return workers_.size() < static_cast<std::size_t>(options_.jobs); }

  // For poll(): -1 where there is nothing to wait for.
  int milliseconds_to(const std::optional<Clock::time_point>& time) const {
    if (!time || stopping()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*time - Clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
  }

  void run_out_of_time() {
    if (workers_.empty() && queue_.empty() && elsewhere_.empty()) return;
    outcome_.out_of_time = true;
    for (const Worker& worker : workers_) worker.process.send(SIGINT);
  }

  // For packs that nobody has begun first, then for runs that other processes have left.
  void start_workers() {
    while (!stopping() && has_room() && !queue_.empty()) {
      Job job = std::move(queue_.front());
      queue_.pop_front();
      start_free_cells(std::move(job));
    }
    if (stopping() || !has_room() || elsewhere_.empty()) return next_look_.reset();
    if (next_look_ && Clock::now() < *next_look_) return;
    for (Job& job : std::exchange(elsewhere_, {})) {
      has_room() ? start_free_cells(std::move(job)) : elsewhere_.push_back(std::move(job));
    }
    listener_.on_elsewhere(cells_elsewhere());
    next_look_ = Clock::now() + kLookEvery;
    if (workers_.empty() && !elsewhere_.empty()) tell_that_it_waits();
  }

  void tell_that_it_waits() {
    if (std::exchange(told_that_it_waits_, true)) return;
    listener_.on_event(elsewhere_.front().pack,
                       Message{Level::kInfo, "waiting for " + counted(cells_elsewhere(), "run") +
                                                 " that another process trains; an interrupt "
                                                 "leaves them to it"});
  }

  // Starts a worker, which looks again once it holds the locks, for the cells that seem free.
  void start_free_cells(Job job) {
    Job free{job.pack, {}}, held{job.pack, {}};
    for (record::CellFolder& cell : job.cells) {
      const bool taken = record::CellLock::is_taken(cell);
      if (const auto state = taken ? record::CellState::kBegun : record::read_state(cell);
          record::has_ended(state)) {
        cell_ended(job.pack, {cell.root.string(), state});
      } else {
        (taken ? held : free).cells.push_back(std::move(cell));
      }
    }
    if (!held.cells.empty()) {
      elsewhere_.push_back(std::move(held));
      listener_.on_elsewhere(cells_elsewhere());
    }
    if (free.cells.empty()) return;
    Process process(command(free, options_), thread_variables(options_.threads));
    const std::string name = "the worker of " + names_of(free.cells);
    workers_.push_back({std::move(free), std::move(process), name});
  }

  void wait_for_news() {
    std::vector<pollfd> files = {{signals_.file(), POLLIN, 0}};
    for (const Worker& worker : workers_) {
      // poll() ignores negative files.
      files.push_back({worker.process.output(), POLLIN, 0});
      files.push_back({worker.process.errors(), POLLIN, 0});
    }
    const int deadline = milliseconds_to(options_.deadline), look = milliseconds_to(next_look_);
    const int timeout =
        deadline < 0 || look < 0 ? std::max(deadline, look) : std::min(deadline, look);
    ::poll(files.data(), files.size(), timeout);
  }

  void stop(int count) {
    const bool again = outcome_.interrupted || count > 1;
    if (!again && !workers_.empty()) {
      listener_.on_event(workers_.front().job.pack,
                         Message{Level::kInfo, "stopping; interrupt again to kill the workers"});
    }
    outcome_.interrupted = true;
    for (const Worker& worker : workers_) worker.process.send(again ? SIGKILL : SIGINT);
  }

  void listen(Worker& worker) {
    const auto on_output = [&](const std::string& line) { handle_line(worker, line); };
    const auto on_error = [&](const std::string& line) {
      listener_.on_log(line);
      worker.last_words.add(line);
    };
    worker.output.add(worker.process.read_output(), on_output);
    worker.errors.add(worker.process.read_errors(), on_error);
    if (worker.process.output() < 0) worker.output.finish(on_output);
    if (worker.process.errors() < 0) worker.errors.finish(on_error);
  }

  void handle_line(Worker& worker, const std::string& line) {
    try {
      const std::optional<Event> event = parse_line(line);
      if (!event) return listener_.on_log(line);
      worker.last_words.spoke = true;
      if (const auto* ended = std::get_if<CellEnded>(&*event)) {
        take_cell(worker, ended->cell);
        return cell_ended(worker.job.pack, *ended);
      }
      if (const auto* held = std::get_if<CellElsewhere>(&*event)) {
        elsewhere_.push_back({worker.job.pack, {take_cell(worker, held->cell)}});
        return;
      }
      listener_.on_event(worker.job.pack, *event);
    } catch (const ProtocolError& error) {
      worker.last_words.misunderstood = error.what();
    }
  }

  static record::CellFolder take_cell(Worker& worker, const std::string& root) {
    std::vector<record::CellFolder>& cells = worker.job.cells;
    const std::filesystem::path name = std::filesystem::path(root).filename();
    const auto cell = std::ranges::find_if(
        cells, [&](const record::CellFolder& c) { return c.root.filename() == name; });
    if (cell == cells.end())
      throw ProtocolError("an event of a cell that it does not train: " + root);
    const record::CellFolder taken = *cell;
    cells.erase(cell);
    return taken;
  }

  void cell_ended(std::size_t pack, const CellEnded& cell) {
    const bool finished = cell.state == record::CellState::kFinished;
    ++(finished ? outcome_.finished : outcome_.diverged);
    listener_.on_event(pack, cell);
  }

  void reap(Worker& worker) {
    const Exit exit = worker.process.wait();
    listener_.on_end(worker.job.pack);
    const bool as_told = exit.signal == 0 && exit.code == exit_code::kDone;
    if (as_told && worker.job.cells.empty() && worker.last_words.misunderstood.empty()) return;
    // A worker that had not come to its own handlers yet dies of the signal itself.
    if (stopping() && (exit.signal != 0 || exit.code == exit_code::kInterrupted)) return;
    const WorkerFailure failure = explain(exit, worker.last_words, worker.name, options_.worker);
    switch (failure.code) {
      case exit_code::kUserError:
        ++outcome_.refused;
        break;
      case exit_code::kInterrupted:
        ++outcome_.stopped;
        break;
      default:
        ++outcome_.crashed;
    }
    listener_.on_event(worker.job.pack, Message{Level::kError, failure.text});
  }

  int cells_elsewhere() const {
    std::size_t count = 0;
    for (const Job& job : elsewhere_) count += job.cells.size();
    return static_cast<int>(count);
  }

  const LocalOptions& options_;
  const LocalListener& listener_;
  StopSignals signals_;
  std::list<Worker> workers_;
  std::deque<Job> queue_;                       // packs that are still to be begun
  std::vector<Job> elsewhere_;                  // cells that other processes train
  std::optional<Clock::time_point> next_look_;  // at these; nothing while there is other work
  bool told_that_it_waits_ = false;
  LocalOutcome outcome_;
};

}  // namespace

LocalOutcome train_locally(const std::vector<Pack>& packs, const LocalOptions& options,
                           const LocalListener& listener) {
  return Local(packs, options, listener).train();
}

}  // namespace layerlab::sweep
