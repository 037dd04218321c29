#include "worker/pack.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "config/probe_schedule.h"
#include "probe/probe.h"
#include "record/cell.h"
#include "record/checkpoint_files.h"
#include "train/checkpoint.h"
#include "train/measured_step.h"
#include "train/non_finite.h"
#include "train/recorder.h"
#include "train/trainer.h"
#include "worker/runs.h"
#include "worker/sitting.h"

namespace layerlab::worker {
namespace {

using record::CellFolder;
using record::CellState;

constexpr std::size_t kMostKept = 256;  // steps on the device before they are written

// What damaged files are reported by.
auto warnings_to(const Report& report) {
  return [&report](const std::string& text) {
    report(sweep::Message{sweep::Level::kWarning, text});
  };
}

// The loop around a trainer: when to measure, write, evaluate and end.
class Pack {
 public:
  Pack(const PackOptions& options, const Report& report)
      : report_(report),
        runs_(options.cells),
        trainer_(runs_.configs, options.device),
        probe_(shape().probe, trainer_.model()->taps(), trainer_.parameters()),
        step_(runs_.common_checkpoint(warnings_to(report))),
        recorder_(runs_.records(), runs_.configs, step_, trainer_.task().shape().chance_loss),
        sitting_(runs_.cells, options, report),
        ended_(runs_.cells.size()) {
    if (step_ == 0) trainer_.begin();
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      if (step_ > 0) trainer_.load(r, runs_.cells[r].checkpoint(), step_);
      record::remove_checkpoints_after(runs_.cells[r].checkpoint(), step_);
    }
  }

  PackOutcome train(const std::atomic<bool>& stop) {
    const std::int64_t steps = shape().train.steps;
    while (step_ < steps && !all_ended()) {
      if (stop) {
        settle();
        commit();
        save();
        sitting_.write_manifests();
        return PackOutcome::kInterrupted;
      }
      evaluate(/*last=*/false);
      const bool measured = config::is_measured(shape().probe, step_, steps);
      if (measured) wait();
      if (!all_ended()) train_one(measured);
    }
    evaluate(/*last=*/true);
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      if (!ended_[r]) end(r, CellState::kFinished, steps);
    }
    return PackOutcome::kDone;
  }

 private:
  // Evaluates the weights as they are before update step_, where that is due, and ends the runs
  // that are good enough or, at the end, broken. An interrupted run does so again, to the same end.
  void evaluate(bool last) {
    const config::TrainConfig& train = shape().train;
    const bool due = last || (train.eval_every > 0 && step_ % train.eval_every == 0);
    if (!due || all_ended()) return;
    settle();
    const train::Evaluation evaluation = trainer_.evaluate();
    const at::Tensor loss = evaluation.loss.to(at::kCPU, at::kDouble);
    const at::Tensor accuracy = evaluation.accuracy.to(at::kCPU, at::kDouble);
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      if (ended_[r]) continue;
      const auto of = [r](const at::Tensor& all) { return all.const_data_ptr<double>()[r]; };
      recorder_.write_evaluation(r, step_, of(loss), of(accuracy));
      if (last) {
        end_if_broken(r, of(loss));
      } else {
        end_if_good(r, of(accuracy));
      }
    }
    if (last) commit();
  }

  // What the last update did to the weights shows in no step.
  void end_if_broken(std::size_t r, double held_out_loss) {
    if (std::isfinite(held_out_loss)) return;
    recorder_.write_event(r, {step_, "diverged", "the loss on held-out examples is not finite"});
    const auto cause = train::find_non_finite(trainer_, r, step_);
    if (cause) recorder_.write_event(r, *cause);
    commit();
    end(r, CellState::kDiverged, step_);
  }

  void end_if_good(std::size_t r, double accuracy) {
    const double target = shape().train.target_accuracy;
    if (target == 0 || !(accuracy >= target)) return;
    recorder_.write_event(r, {step_, "target_reached",
                              fmt::format("accuracy {:.4g} on held-out examples", accuracy)});
    save(r);
    commit();
    end(r, CellState::kFinished, step_);
  }

  // Steps that the device has not done yet are not counted as part of a measured one.
  void wait() {
    const Sitting::Clock::time_point begin = Sitting::Clock::now();
    settle();
    sitting_.add_time(/*measured=*/false, Sitting::Clock::now() - begin);
  }

  void train_one(bool measured) {
    const Sitting::Clock::time_point begin = Sitting::Clock::now();
    const train::Batch batch = trainer_.draw(step_);
    if (measured) {
      train::train_measured(trainer_, step_, batch, probe_, recorder_);
    } else {
      recorder_.keep(step_, trainer_.step(step_, batch, nullptr));
    }
    sitting_.add_step(batch.inputs.numel(), measured);
    ++step_;

    const bool last = step_ == shape().train.steps;
    const bool report_due = last || sitting_.report_due();
    const bool checkpoint_due = config::keeps_checkpoints(shape().train) &&
                                (last || step_ % shape().train.checkpoint_every == 0);
    if (measured || report_due || last || checkpoint_due || recorder_.kept() == kMostKept) {
      settle();
    }
    sitting_.add_time(measured, Sitting::Clock::now() - begin);
    if (last || checkpoint_due || sitting_.commit_due()) {
      recorder_.add_seconds(step_ - 1, sitting_.seconds());
      commit();
    }
    if (checkpoint_due) save();
    if (report_due) {
      const auto& [loss, lr, grad_norm] = recorder_.latest();
      report_(sweep::Progress{step_, shape().train.steps, loss, lr, grad_norm,
                              sitting_.tokens_per_second()});
    }
  }

  // Writes the steps that were kept, and ends the runs that diverged.
  void settle() {
    recorder_.flush();
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      const std::optional<std::int64_t> diverged = recorder_.diverged_at(r);
      if (!diverged || ended_[r]) continue;
      recorder_.write_event(r, cause_of(*diverged, r));
      commit();
      end(r, CellState::kDiverged, *diverged + 1);
    }
  }

  record::EventRow cause_of(std::int64_t step, std::size_t r) const {
    const record::EventRow unknown{step, "not_reproduced",
                                   "repeated by itself the step is finite: this device does not "
                                   "compute the same twice"};
    return train::find_non_finite(trainer_, r, step).value_or(unknown);
  }

  void commit() {
    const Sitting::Clock::time_point begin = Sitting::Clock::now();
    recorder_.commit();
    sitting_.committed_since(begin);
  }

  void save() {
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      if (!ended_[r]) save(r);
    }
  }
  void save(std::size_t r) {
    train::save_checkpoint(runs_.cells[r].checkpoint(), step_, static_cast<std::int64_t>(r),
                           trainer_.parameters(), trainer_.optimizer());
  }

  void end(std::size_t r, CellState state, std::int64_t taken) {
    ended_[r] = true;
    recorder_.end(r);
    sitting_.write_manifest(r);
    record::write_done(runs_.cells[r], {state, taken});
    report_(sweep::CellEnded{runs_.cells[r].root.string(), state});
  }

  bool all_ended() const {
    return std::all_of(ended_.begin(), ended_.end(), [](bool ended) { return ended; });
  }

  const config::RunConfig& shape() const { return runs_.shape(); }

  const Report& report_;
  Runs runs_;
  train::Trainer trainer_;
  probe::Probe probe_;
  std::int64_t step_;  // the next one
  train::Recorder recorder_;
  Sitting sitting_;
  std::vector<bool> ended_;  // [R]
};

}  // namespace

PackOutcome train_pack(const PackOptions& options, const std::atomic<bool>& stop,
                       const Report& report) {
  // A cell that has ended since this pack was planned is never trained again: only the holder of
  // its lock can say that it has not.
  std::vector<record::CellLock> locks;
  PackOptions open = options;
  open.cells.clear();
  for (const std::filesystem::path& folder : options.cells) {
    const CellFolder cell{folder};
    record::CellLock lock(cell);
    const CellState state = record::read_state(cell);
    if (state == CellState::kFinished || state == CellState::kDiverged) {
      report(sweep::CellEnded{folder.string(), state});
      continue;
    }
    locks.push_back(std::move(lock));
    open.cells.push_back(folder);
  }
  if (open.cells.empty()) return PackOutcome::kDone;
  return Pack(open, report).train(stop);
}

}  // namespace layerlab::worker
