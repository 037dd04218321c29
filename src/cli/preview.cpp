#include "cli/preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "claims/bisection.h"
#include "cli/plot.h"
#include "config/identity.h"
#include "config/run_config_toml.h"
#include "config/schedule.h"
#include "core/names.h"
#include "report/run_cost.h"
#include "sweep/plan.h"

namespace layerlab::cli {
namespace {

constexpr int kColumns = 60, kRows = 4;
constexpr double kOperationsASecond = 5e9;  // of a CPU core on models of width 32

std::string size_text(double bytes) {
  const char* unit = "B";
  for (const char* next : {"kB", "MB", "GB", "TB"}) {
    if (bytes < 1000) break;
    bytes /= 1000;
    unit = next;
  }
  return fmt::format("{:.3g} {}", bytes, unit);
}

std::string time_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.2g} s", std::max(seconds, 1.0));
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

void print_learning_rate(const config::RunConfig& run) {
  const auto rate = [&](std::int64_t step) { return config::learning_rate(run, step); };
  const std::int64_t last = run.train.steps - 1;
  fmt::print("\nlearning rate: {:.3g} at step 0, {:.3g} at step {}\n", rate(0), rate(last), last);
  for (const std::string& line : plot(rate, last, kColumns, kRows)) fmt::print("  {}\n", line);
}

struct Effort {
  double operations = 0, bytes = 0;
};

Effort effort_of(const std::vector<config::Cell>& cells) {
  Effort all;
  std::map<std::string, report::RunCost> by_shape;  // runs of one shape take the same
  for (const config::Cell& cell : cells) {
    const auto [place, is_new] = by_shape.try_emplace(config::pack_key(cell.config));
    if (is_new) place->second = report::cost_of(cell.config);
    const report::RunCost& run = place->second;
    all.operations += run.operations;
    all.bytes += run.record + run.checkpoints;
  }
  return all;
}

void print_plan(const config::Experiment& experiment, const std::filesystem::path& results) {
  const sweep::Plan plan = sweep::make_plan({&experiment}, results, /*replicas=*/1);
  const Effort effort = effort_of(experiment.cells);
  fmt::print("{:<11}{} done, {} to train\n", counted(plan.cells(), "run"),
             plan.finished + plan.diverged, plan.begun + plan.missing + plan.waiting);
  fmt::print("           all of them about {} on one core, {} on disk\n",
             time_text(effort.operations / kOperationsASecond), size_text(effort.bytes));
}

// As if every run were at the highest rung, which takes the most.
void print_search(const config::Experiment& experiment) {
  const config::Search& search = *experiment.search;
  const std::size_t rungs = search.values.size();
  std::vector<config::Cell> highest;
  for (const config::Cell& cell : experiment.cells) {
    highest.push_back(config::at_candidate(cell, search, rungs - 1));
  }
  const Effort effort = effort_of(highest);
  const int rounds = claims::most_rounds(rungs);
  fmt::print("search     {}: {}, {} values, at most {} runs of each\n", search.key,
             counted(std::ssize(highest), "combination"), rungs, rounds);
  fmt::print("           all of them at most about {} on one core, {} on disk\n",
             time_text(rounds * effort.operations / kOperationsASecond),
             size_text(rounds * effort.bytes));
}

}  // namespace

void print_preview(const config::Experiment& experiment, const std::filesystem::path& results) {
  const config::RunConfig& first = experiment.cells.front().config;
  fmt::print("{}", config::canonical_text(first));
  if (!experiment.axes.empty()) {
    fmt::print("\nthese are the first run's; others differ in");
    for (const std::string& axis : experiment.axes) fmt::print(" {}", axis);
    fmt::print("\n");
  }
  print_learning_rate(first);

  const report::RunCost one = report::cost_of(first);
  fmt::print("\none run    {} parameters, {} of them in blocks\n", one.parameters, one.in_blocks);
  fmt::print("           about {} on one core, {} of memory\n",
             time_text(one.operations / kOperationsASecond), size_text(one.memory));
  fmt::print("           record {}, checkpoints {}\n", size_text(one.record),
             size_text(one.checkpoints));

  if (experiment.search) {
    print_search(experiment);
  } else {
    print_plan(experiment, results);
  }
}

}  // namespace layerlab::cli
