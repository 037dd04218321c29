// What measuring costs: steps with and without it, one after the other, on one thread. Neighbours
// are compared, so that what else the machine does falls on both.

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "config/probe_schedule.h"
#include "config/run_config.h"
#include "core/table_reader.h"
#include "models/init.h"
#include "probe/probe.h"
#include "record/record.h"
#include "tasks/catalogue.h"
#include "train/device.h"
#include "train/step.h"

namespace layerlab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWarmup = 5;
constexpr int kCommit = 20;  // pairs: a record is committed after seconds, not after each step
constexpr int kSteps = 400;  // of the run whose schedule is `log`

double milliseconds(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Lower quartile, median, upper quartile.
struct Quartiles {
  double low, middle, high;

  explicit Quartiles(std::vector<double> values) {
    std::ranges::sort(values);
    const auto at = [&](double part) {
      return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
    };
    low = at(0.25), middle = at(0.5), high = at(0.75);
  }
};

config::RunConfig run_of(int width) {
  config::RunConfig run;
  run.task.length = 16;
  run.model.width = width;
  run.model.ff = 4 * width;
  run.block = equation::find_block(run.model.block, {});
  return run;
}

class Bench {
 public:
  Bench(const config::RunConfig& run, const std::filesystem::path& record)
      : run_(run),
        task_(tasks::make_task({run.task, run.model.kind, {}})),
        model_(models::StackOptions{1, run.model, task_->shape(), run.block}),
        parameters_(*model_),
        optimizer_(train::make_optimizer(parameters_, {run})),
        writer_(record, 0) {
    models::initialize(*model_, run.model.init, seeds_);
  }

  void compare(config::ProbePreset preset, int pairs) {
    probe::Probe probe({.preset = preset}, model_->taps(), parameters_);
    std::vector<double> usual, extra, rows;
    for (int i = -kWarmup; i < pairs; ++i) {
      double times[2];  // without, with
      for (int k = 0; k < 2; ++k) {
        const bool measured = (i + k) % 2 != 0;  // either comes first in turn
        const Clock::time_point begin = Clock::now();
        step(measured ? &probe : nullptr);
        if (measured) measured_ = probe.read(step_);
        times[measured] = milliseconds(begin);
      }
      const Clock::time_point begin = Clock::now();
      writer_.add_all(measured_[0].sites);
      writer_.add_all(measured_[0].params);
      const double writing = milliseconds(begin);
      if (i >= 0) {
        usual.push_back(times[0]);
        extra.push_back(100 * (times[1] / times[0] - 1));
        rows.push_back(writing);
      }
      if (i % kCommit == 0) commit();
    }
    print(preset, Quartiles(usual), Quartiles(extra), Quartiles(rows));
  }

 private:
  void step(probe::Probe* probe) {
    const train::Batch batch = train::draw_batch(*task_, tasks::Split::kTraining, seeds_, ++step_,
                                                 run_.train.batch, at::kCPU);
    train::train_step(model_, parameters_, *optimizer_, run_.train, batch, step_, limits_, probe);
  }

  // Afterwards a step that nobody times finds the caches cold.
  void commit() {
    writer_.commit();
    step(nullptr);
  }

  void print(config::ProbePreset preset, const Quartiles& usual, const Quartiles& extra,
             const Quartiles& rows) const {
    const auto measured = static_cast<double>(config::measured_steps({}, kSteps));
    const double all = extra.middle + 100 * rows.middle / usual.middle;
    fmt::print("{:>5}  {:<9}{:>8.2f}{:>9.1f} ({:.1f} to {:.1f}){:>9.3f}{:>8.1f}{:>8.2f}\n",
               run_.model.width, name_of(preset), usual.middle, extra.middle, extra.low, extra.high,
               rows.middle, all, all * measured / kSteps);
  }

  config::RunConfig run_;
  std::vector<std::uint64_t> seeds_ = {1};
  std::unique_ptr<tasks::Task> task_;
  models::Stack model_;
  models::Parameters parameters_;
  std::unique_ptr<train::Optimizer> optimizer_;
  at::Tensor limits_ = at::full({1}, 1.0);
  record::Writer writer_;
  std::vector<probe::StepMeasurements> measured_;
  std::int64_t step_ = 0;
};

void run_bench(int pairs) {
  train::make_repeatable(/*threads=*/1);
  const auto folder = std::filesystem::temp_directory_path() /
                      fmt::format("layerlab-bench-{}", static_cast<long>(::getpid()));
  std::filesystem::create_directories(folder);
  fmt::print(
      "6 blocks, batch 32, 16 tokens, 1 thread, {} pairs of steps; times are medians in ms.\n"
      "measured: what a measured step takes longer, median (quartiles); rows: adding them\n"
      "to the record; every: both, of a step, in %; log: with that schedule, {} steps\n\n"
      "{:>5}  {:<9}{:>8}{:>24}{:>9}{:>8}{:>8}\n",
      pairs, kSteps, "width", "preset", "step", "measured, %", "rows", "every", "log");
  for (const int width : {32, 128}) {
    Bench bench(run_of(width), folder / fmt::format("{}.db", width));
    for (const auto preset : {config::ProbePreset::kCheap, config::ProbePreset::kStandard,
                              config::ProbePreset::kFull}) {
      bench.compare(preset, pairs);
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace layerlab

int main(int argc, char** argv) { layerlab::run_bench(argc > 1 ? std::atoi(argv[1]) : 200); }
