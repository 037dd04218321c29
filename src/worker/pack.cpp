#include "worker/pack.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "config/probe_schedule.h"
#include "config/schedule.h"
#include "probe/probe.h"
#include "record/cell.h"
#include "train/checkpoint.h"
#include "train/measured_step.h"
#include "train/non_finite.h"
#include "train/recorder.h"
#include "train/trainer.h"
#include "worker/open_runs.h"
#include "worker/run.h"
#include "worker/training_session.h"

namespace layerlab::worker {
namespace {

using record::CellState;
using Clock = TrainingSession::Clock;

constexpr std::size_t kMostKept = 256;  // steps on the device before they are written

std::vector<config::RunConfig> configs_of(const std::vector<Run>& runs) {
  std::vector<config::RunConfig> configs;
  for (const Run& run : runs) configs.push_back(run.config());
  return configs;
}

// The loop around a trainer: when to measure, write, evaluate and end.
class Pack {
 public:
  // REQUIRES: the runs are of one shape and go on from the same step.
  Pack(std::vector<Run> runs, const PackOptions& options, const Report& report)
      : report_(report),
        runs_(std::move(runs)),
        trainer_(configs_of(runs_), options.device),
        probe_(shape().probe, trainer_.model()->taps(), trainer_.parameters()),
        step_(runs_.front().first_step()) {
    if (step_ == 0) trainer_.begin();
    for (std::size_t r = 0; step_ > 0 && r < runs_.size(); ++r) {
      trainer_.load(r, runs_[r].cell().checkpoint(), step_);
    }
    for (Run& run : runs_) {
      run.begin(options, runs_.size(), trainer_.task().shape().chance_loss, report);
    }
  }

  PackOutcome train(const std::atomic<bool>& stop) {
    while (going() && step_ < steps()) {
      if (stop) return interrupt();
      if (evaluation_due()) evaluate();
      const bool measured = config::is_measured(shape().probe, step_, steps());
      if (measured) flush_earlier_steps();
      if (!going()) break;

      const Clock::time_point begin = Clock::now();
      const train::Batch batch = trainer_.draw(step_);
      if (measured) {
        latest_ = train::train_measured(trainer_, step_, batch, probe_, recorders());
      } else {
        buffer_.add(step_, trainer_.step(step_, batch, nullptr));
      }
      session_.add_step(batch.inputs.numel(), measured);
      ++step_;
      const Due due = what_is_due();
      if (measured || due.report || due.checkpoint || buffer_.size() == kMostKept) flush();
      session_.add_time(measured, Clock::now() - begin);

      if (due.commit) commit();
      if (due.checkpoint) save();
      if (due.report) report_progress();
    }
    finish();
    return PackOutcome::kDone;
  }

 private:
  struct Due {
    bool report, checkpoint, commit;
  };

  // After a step.
  Due what_is_due() {
    const bool last = step_ == steps();
    const bool checkpoint = config::keeps_checkpoints(shape().train) &&
                            (last || step_ % shape().train.checkpoint_every == 0);
    return {last || session_.report_due(), checkpoint, last || checkpoint || session_.commit_due()};
  }

  bool evaluation_due() const {
    const int every = shape().train.eval_every;
    return every > 0 && step_ % every == 0;
  }

  // Steps that the device has not done yet are not counted as part of a measured one.
  void flush_earlier_steps() {
    const Clock::time_point begin = Clock::now();
    flush();
    session_.add_time(/*measured=*/false, Clock::now() - begin);
  }

  // Writes the steps that wait on the device, and ends the runs that have diverged.
  void flush() {
    const std::vector<std::vector<train::StepValues>> steps = buffer_.take();
    if (!steps.empty()) {
      for_each_going([&](Run& run, std::size_t r) {
        for (const train::StepValues& values : steps[r]) run.recorder().write(values);
      });
      latest_.clear();
      for (const auto& of_one : steps) latest_.push_back(of_one.back());
    }
    for_each_going([&](Run& run, std::size_t r) {
      const std::optional<std::int64_t> diverged = run.recorder().diverged_at();
      if (!diverged) return;
      run.recorder().write_event(cause_of(*diverged, r));
      end(run, {CellState::kDiverged, *diverged + 1});
    });
  }

  record::EventRow cause_of(std::int64_t step, std::size_t r) const {
    const record::EventRow unknown{step, "not_reproduced",
                                   "repeated by itself the step is finite: this device does not "
                                   "compute the same twice"};
    return train::find_non_finite(trainer_, r, step).value_or(unknown);
  }

  // Evaluates the weights as they are before update step_, and ends the runs that are good enough.
  // An interrupted run does so again, to the same end.
  void evaluate() {
    const double target = shape().train.target_accuracy;
    for_each_evaluated([&](Run& run, std::size_t r, double, double accuracy) {
      if (target == 0 || !(accuracy >= target)) return;
      run.recorder().write_event(
          {step_, "target_reached", fmt::format("accuracy {:.4g} on held-out examples", accuracy)});
      run.recorder().commit();
      save(run, r);
      end(run, {CellState::kFinished, step_});
    });
  }

  // Ends all runs. No step shows what the last update did to the weights: the evaluation does.
  void finish() {
    for_each_evaluated([&](Run& run, std::size_t r, double loss, double) {
      if (std::isfinite(loss)) return end(run, {CellState::kFinished, steps()});
      run.recorder().write_event(
          {step_, "diverged", "the loss on held-out examples is not finite"});
      if (const auto cause = train::find_non_finite(trainer_, r, step_)) {
        run.recorder().write_event(*cause);
      }
      end(run, {CellState::kDiverged, step_});
    });
  }

  // Calls visit(run, replica, loss, accuracy), both of held-out examples.
  void for_each_evaluated(const auto& visit) {
    flush();
    if (!going()) return;
    const train::Evaluation evaluation = trainer_.evaluate();
    const at::Tensor losses = evaluation.loss.to(at::kCPU, at::kDouble);
    const at::Tensor accuracies = evaluation.accuracy.to(at::kCPU, at::kDouble);
    for_each_going([&](Run& run, std::size_t r) {
      const double loss = losses.const_data_ptr<double>()[r];
      const double accuracy = accuracies.const_data_ptr<double>()[r];
      run.recorder().write_evaluation(step_, loss, accuracy);
      visit(run, r, loss, accuracy);
    });
  }

  PackOutcome interrupt() {
    flush();
    for_each_going([&](Run& run, std::size_t r) {
      run.recorder().commit();
      save(run, r);
      run.write_manifest(session_);
    });
    return PackOutcome::kInterrupted;
  }

  // After a step. Makes its rows durable.
  void commit() {
    const Clock::time_point begin = Clock::now();
    for_each_going([&](Run& run, std::size_t) {
      run.recorder().write_seconds(step_ - 1, session_.seconds());
      run.recorder().commit();
    });
    session_.committed_since(begin);
  }

  void save() {
    for_each_going([&](const Run& run, std::size_t r) { save(run, r); });
  }
  void save(const Run& run, std::size_t r) {
    train::save_checkpoint(run.cell().checkpoint(), step_, static_cast<std::int64_t>(r),
                           trainer_.parameters(), trainer_.optimizer());
  }

  void end(Run& run, record::Done done) {
    run.end(done, session_);
    report_(sweep::CellEnded{run.cell().root.string(), done.state});
  }

  // Means over the runs that go on.
  void report_progress() {
    if (!going()) return;
    sweep::Progress progress{step_, steps(), 0, 0, 0, session_.tokens_per_second()};
    double count = 0;
    for_each_going([&](const Run&, std::size_t) { ++count; });
    for_each_going([&](const Run& run, std::size_t r) {
      progress.loss += latest_[r].loss / count;
      progress.lr += config::learning_rate(run.config(), latest_[r].step) / count;
      progress.grad_norm += latest_[r].grad_norm / count;
    });
    report_(progress);
  }

  // Of the runs that go on; null for the others.
  std::vector<train::Recorder*> recorders() {
    std::vector<train::Recorder*> all;
    for (Run& run : runs_) all.push_back(run.ended() ? nullptr : &run.recorder());
    return all;
  }

  void for_each_going(const auto& visit) {
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      if (!runs_[r].ended()) visit(runs_[r], r);
    }
  }
  bool going() const {
    return std::ranges::any_of(runs_, [](const Run& run) { return !run.ended(); });
  }

  const config::RunConfig& shape() const { return runs_.front().config(); }
  std::int64_t steps() const { return shape().train.steps; }

  const Report& report_;
  std::vector<Run> runs_;
  train::Trainer trainer_;
  probe::Probe probe_;
  std::int64_t step_;  // the next one
  train::StepBuffer buffer_;
  std::vector<train::StepValues> latest_;  // [R], of the last step that was written
  TrainingSession session_;
};

}  // namespace

PackOutcome train_pack(const PackOptions& options, const std::atomic<bool>& stop,
                       const Report& report) {
  OpenRuns open(options.cells, report);
  for (auto& [step, runs] : open.by_first_step()) {
    if (Pack(std::move(runs), options, report).train(stop) == PackOutcome::kInterrupted) {
      return PackOutcome::kInterrupted;
    }
  }
  open.throw_if_refused();
  return PackOutcome::kDone;
}

}  // namespace layerlab::worker
