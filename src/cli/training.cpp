#include "cli/training.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "cli/cells.h"
#include "cli/log_level.h"
#include "cli/terminal.h"
#include "core/exit_code.h"
#include "core/names.h"
#include "sweep/local.h"
#include "sweep/progress.h"
#include "sweep/search_scheduler.h"
#include "sweep/worker.h"

namespace layerlab::cli {
namespace {

using sweep::ProgressLine;

// More runs in one model save a CPU little beyond these: the demo takes 61, 47 and 46 s of
// processor time with 1, 3 and 6. A GPU is idle most of the time with a small model.
constexpr int kReplicasOnCpu = 4, kReplicasOnGpu = 64;

double now() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_start).count();
}

ProgressLine::Style progress_style(const Globals& globals) {
  if (globals.quiet) return ProgressLine::Style::kQuiet;
  const char* const terminal = std::getenv("TERM");
  const bool live =
      ::isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
  return live ? ProgressLine::Style::kLive : ProgressLine::Style::kPlain;
}

// Shows progress while workers train.
class Display {
 public:
  Display(const sweep::Plan& plan, const Globals& globals)
      : tally_(plan.packs, plan.finished + plan.diverged, plan.cells(), now()),
        line_(std::cerr, progress_style(globals), terminal_columns(STDERR_FILENO).value_or(80)) {}

  sweep::LocalListener listener() {
    return {[this](std::size_t pack, const sweep::Event& event) {
              std::visit([&](const auto& e) { on(pack, e); }, event);
            },
            [this](std::size_t pack) {
              tally_.pack_ended(pack);
              line_.show(tally_, now());
            },
            [this](int cells) {
              tally_.elsewhere(cells);
              line_.show(tally_, now());
            },
            [this](const std::string& text) { log(spdlog::level::debug, "worker: " + text); }};
  }
  void close() { line_.clear(); }

 private:
  void on(std::size_t pack, const sweep::Progress& progress) {
    tally_.progress(pack, progress);
    line_.show(tally_, now());
  }
  void on(std::size_t, const sweep::CellEnded& ended) {
    tally_.cell_ended();
    const std::string id = std::filesystem::path(ended.cell).filename().string();
    const bool diverged = ended.state == record::CellState::kDiverged;
    log(diverged ? spdlog::level::warn : spdlog::level::debug,
        "cell " + id.substr(0, 8) +
            (diverged ? " diverged; layerlab show ID tells where" : " finished"));
  }
  void on(std::size_t, const sweep::CellElsewhere&) {}  // on_elsewhere counts them
  void on(std::size_t, const sweep::Message& message) {
    log(log_level(message.level), message.text);
  }
  void log(spdlog::level::level_enum level, const std::string& text) {
    if (!spdlog::should_log(level)) return;
    line_.clear();
    spdlog::log(level, "{}", text);
  }

  sweep::Tally tally_;
  ProgressLine line_;
};

int code_of(const sweep::LocalOutcome& outcome) {
  if (outcome.crashed > 0) return exit_code::kOurBug;
  if (outcome.interrupted || outcome.stopped > 0) return exit_code::kInterrupted;
  if (outcome.refused > 0) return exit_code::kUserError;
  return exit_code::kDone;
}

// Runs a worker trains together: no more than leave every worker its share.
int choose_replicas(const sweep::Plan& plan, int jobs, bool gpu) {
  const int left = plan.begun + plan.missing;
  return std::clamp((left + jobs - 1) / jobs, 1, gpu ? kReplicasOnGpu : kReplicasOnCpu);
}

std::string name_of(const sweep::Experiments& experiments) {
  return experiments.size() == 1 ? experiments.front()->name
                                 : counted(std::ssize(experiments), "experiment");
}

// Each line once: studies may share the runs that it is about.
void warn(const sweep::Experiments& experiments) {
  std::set<std::string> told;
  for (const config::Experiment* const experiment : experiments) {
    for (const std::string& line : experiment->warnings) {
      if (told.insert(line).second) spdlog::warn("{}", line);
    }
  }
}

void write_inputs(const sweep::Experiments& experiments, const std::filesystem::path& results) {
  for (const config::Experiment* const experiment : experiments) {
    sweep::write_inputs(*experiment, results);
  }
}

// One round.
TrainOutcome train_runs(const sweep::Experiments& experiments, const TrainOptions& options,
                        const Globals& globals) {
  sweep::Plan plan = sweep::make_plan(experiments, options.results, /*replicas=*/1);
  TrainOutcome result;
  result.finished = plan.finished;
  result.diverged = plan.diverged;
  result.damaged = plan.damaged;
  if (plan.packs.empty()) {
    write_inputs(experiments, options.results);
    result.waiting = plan.waiting;
    result.unfinished = plan.waiting + static_cast<int>(plan.damaged.size());
    return result;
  }

  sweep::LocalOptions local;
  local.worker = sweep::find_worker();
  local.device = sweep::resolve_device(options.device, local.worker);
  const bool gpu = local.device != "cpu";
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const sweep::Share share = sweep::share_cores(options.jobs, options.threads, cores, gpu);
  local.jobs = share.jobs;
  local.threads = share.threads;
  local.deadline = options.deadline;
  plan = sweep::make_plan(experiments, options.results,
                          options.replicas.value_or(choose_replicas(plan, share.jobs, gpu)));
  write_inputs(experiments, options.results);  // last: what is refused leaves no trace

  // As it looks where an earlier version has trained them.
  if (plan.missing == plan.cells()) warn_of_earlier_names(options.results);
  spdlog::info("{}: {}, {} done; training on {}, {} of {}", name_of(experiments),
               counted(plan.cells(), "run"), plan.finished + plan.diverged, local.device,
               counted(std::min(std::ssize(plan.packs), std::ptrdiff_t{local.jobs}), "worker"),
               counted(local.threads, "thread"));
  Display display(plan, globals);
  const sweep::LocalOutcome outcome = train_locally(plan.packs, local, display.listener());
  display.close();
  result.finished += outcome.finished;
  result.diverged += outcome.diverged;
  result.unfinished = plan.cells() - result.finished - result.diverged;
  result.waiting = plan.waiting;
  result.out_of_time = outcome.out_of_time;
  result.code = code_of(outcome);
  if (outcome.interrupted) {
    spdlog::info("interrupted; the same command continues with {}",
                 counted(result.unfinished, "unfinished run"));
    if (outcome.elsewhere > 0) {
      spdlog::info("another process goes on training {} of them", outcome.elsewhere);
    }
  }
  if (outcome.crashed > 0) spdlog::error("a worker died; please report this");
  return result;
}

// Round after round, until nothing more can be trained.
TrainOutcome train_rounds(const sweep::Experiments& experiments, const TrainOptions& options,
                          const Globals& globals) {
  sweep::SearchScheduler scheduler(experiments, options.results);
  TrainOutcome outcome;
  int waited = 0;
  do {
    waited = outcome.waiting;
    outcome = train_runs(scheduler.experiments(), options, globals);
    const int held_back = outcome.waiting + static_cast<int>(outcome.damaged.size());
    if (outcome.unfinished > held_back) return outcome;
  } while (outcome.waiting != waited || (outcome.waiting == 0 && scheduler.advance()));
  if (outcome.waiting > 0) {
    spdlog::error("{} cannot begin: the runs whose weights they begin with have not finished",
                  counted(outcome.waiting, "run"));
    const bool trained_here = std::ranges::any_of(
        experiments, [](const auto* experiment) { return !experiment->origins.empty(); });
    if (!trained_here) outcome.code = exit_code::kUserError;  // else they diverged
  }
  return outcome;
}

}  // namespace

void add_train_options(CLI::App& app, TrainOptions& options) {
  app.add_option("--jobs", options.jobs,
                 "Number of parallel workers (default: one a core; one on a GPU)")
      ->check(CLI::Range(1, 4096));
  app.add_option("--threads", options.threads, "Threads of each worker (default: 1)")
      ->check(CLI::Range(1, 4096));
  app.add_option("--replicas", options.replicas,
                 "Maximum number of runs trained together in one worker (default: 4; 64 on a GPU)")
      ->check(CLI::Range(1, 4096));
  app.add_option("--device", options.device, "auto, cpu, cuda or cuda:N")->capture_default_str();
  app.add_option("--out", options.results, "Folder of all results")->capture_default_str();
}

TrainOutcome train_missing(const sweep::Experiments& experiments, const TrainOptions& options,
                           const Globals& globals) {
  warn(experiments);
  TrainOutcome outcome = train_rounds(experiments, options, globals);
  for (const record::CellFolder& cell : outcome.damaged) {
    spdlog::error("cell {} is damaged and left as it is: {}",
                  cell.root.filename().string().substr(0, 8), record::damage(cell));
  }
  if (!outcome.damaged.empty() && outcome.code == exit_code::kDone) {
    outcome.code = exit_code::kUserError;
  }
  return outcome;
}

}  // namespace layerlab::cli
