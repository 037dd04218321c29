#include "worker/pack.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "models/admin_profile.h"
#include "models/init.h"
#include "models/parameters.h"
#include "models/stack.h"
#include "probe/probe.h"
#include "probe/schedule.h"
#include "record/cell.h"
#include "tasks/catalogue.h"
#include "train/batch.h"
#include "train/checkpoint.h"
#include "train/evaluate.h"
#include "train/optimizer.h"
#include "train/recorder.h"
#include "train/step.h"
#include "worker/runs.h"
#include "worker/sitting.h"

namespace layerlab::worker {
namespace {

using record::CellFolder;
using record::CellState;

constexpr std::size_t kMostKept = 256;  // steps on the device before they are written

models::Stack make_model(const Runs& runs, const tasks::TaskShape& task, at::Device device) {
  const config::RunConfig& shape = runs.shape();
  models::Stack model(models::StackOptions{static_cast<std::int64_t>(runs.cells.size()),
                                           shape.model, task, shape.block});
  models::initialize(*model, shape.model.init, runs.seeds);
  const bool wide = shape.train.dtype == config::Dtype::kFloat64;
  model->to(device, wide ? at::kDouble : at::kFloat);
  return model;
}

// The parts of a training run, wired.
class Pack {
 public:
  Pack(const PackOptions& options, const Report& report)
      : report_(report),
        device_(options.device),
        runs_(options.cells),
        shape_(runs_.shape()),
        task_(tasks::make_task({shape_.task, shape_.model.kind, {}})),
        model_(make_model(runs_, task_->shape(), device_)),
        parameters_(*model_),
        optimizer_(train::make_optimizer(parameters_, runs_.configs)),
        limits_(runs_.clip_limits(parameters_.values().options())),
        probe_(shape_.probe, model_->taps(), parameters_),
        step_(runs_.common_checkpoint()),
        recorder_(runs_.records(), runs_.configs, step_),
        sitting_(runs_.cells, options),
        ended_(runs_.cells.size()) {
    if (step_ == 0 && !shape_.model.init_from.empty()) {
      train::load_weights(shape_.model.init_from, parameters_);
    } else if (step_ == 0) {
      profile();
    }
    for (std::size_t r = 0; step_ > 0 && r < ended_.size(); ++r) {
      train::load_checkpoint(runs_.cells[r].checkpoint(), step_, r, parameters_, *optimizer_);
    }
  }

  PackOutcome train(const std::atomic<bool>& stop) {
    const std::int64_t steps = shape_.train.steps;
    while (step_ < steps && !all_ended()) {
      if (stop) {
        settle(false);
        commit();
        save();
        sitting_.write_manifests();
        return PackOutcome::kInterrupted;
      }
      evaluate(/*last=*/false);
      const bool measured = probe::due(shape_.probe, step_, steps);
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
  train::Batch draw(std::int64_t step) const {
    return train::draw_batch(*task_, tasks::Split::kTraining, runs_.seeds, step, shape_.train.batch,
                             device_);
  }

  // Sets the learned weights of skips that wait for a first forward pass.
  void profile() {
    models::Omegas omegas;
    for (const models::StackSide& side : model_->sides()) {
      omegas.merge(models::omegas_of(*side.blocks, side.name));
    }
    if (omegas.empty()) return;
    const train::Batch first = draw(0);
    models::profile_omegas(omegas, model_->taps(), [&](const models::TapFunction& tap) {
      model_(models::StackInput{first.inputs, first.source}, tap);
    });
  }

  // Evaluates the weights as they are before update step_, where that is due, and ends the runs
  // that are good enough. An interrupted run does so again, to the same end.
  void evaluate(bool last) {
    const config::TrainConfig& train = shape_.train;
    const bool due = last || (train.eval_every > 0 && step_ % train.eval_every == 0);
    if (!due || all_ended()) return;
    settle(false);
    const train::Evaluation evaluation = train::evaluate(model_, train, *task_, device_);
    const at::Tensor loss = evaluation.loss.to(at::kCPU, at::kDouble);
    const at::Tensor accuracy = evaluation.accuracy.to(at::kCPU, at::kDouble);
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      if (ended_[r]) continue;
      const auto of = [r](const at::Tensor& all) { return all.const_data_ptr<double>()[r]; };
      recorder_.write_evaluation(r, step_, of(loss), of(accuracy));
      if (last || train.target_accuracy == 0 || of(accuracy) < train.target_accuracy) continue;
      recorder_.write_event(r, {step_, "target_reached",
                                fmt::format("accuracy {:.4g} on held-out "
                                            "examples",
                                            of(accuracy))});
      train::save_checkpoint(runs_.cells[r].checkpoint(), step_, r, parameters_, *optimizer_);
      commit();
      end(r, CellState::kFinished, step_);
    }
    if (last) commit();
  }

  // Steps that the device has not done yet are not counted as part of a measured one.
  void wait() {
    const Sitting::Clock::time_point begin = Sitting::Clock::now();
    settle(false);
    sitting_.add_time(/*measured=*/false, Sitting::Clock::now() - begin);
  }

  void train_one(bool measured) {
    const Sitting::Clock::time_point begin = Sitting::Clock::now();
    const train::Batch batch = draw(step_);
    recorder_.keep(step_, train::train_step(model_, parameters_, *optimizer_, shape_.train, batch,
                                            step_, limits_, measured ? &probe_ : nullptr));
    sitting_.add_step(batch.inputs.numel(), measured);
    ++step_;

    const bool last = step_ == shape_.train.steps;
    const bool report_due = last || sitting_.report_due();
    const bool checkpoint_due = last || step_ % shape_.train.checkpoint_every == 0;
    if (measured || report_due || checkpoint_due || recorder_.kept() == kMostKept) {
      settle(measured);
    }
    sitting_.add_time(measured, Sitting::Clock::now() - begin);
    if (checkpoint_due || sitting_.commit_due()) {
      recorder_.add_seconds(step_ - 1, sitting_.seconds());
      commit();
    }
    if (checkpoint_due) save();
    if (report_due) {
      const auto& [loss, lr, grad_norm] = recorder_.latest();
      report_(sweep::Progress{step_, shape_.train.steps, loss, lr, grad_norm,
                              sitting_.tokens_per_second()});
    }
  }

  // Writes what was measured, and ends the runs that diverged.
  void settle(bool measured) {
    if (recorder_.kept() == 0) return;
    recorder_.flush();
    if (measured) recorder_.write(step_ - 1, probe_.read(step_ - 1));
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      const std::optional<std::int64_t> diverged = recorder_.diverged_at(r);
      if (!diverged || ended_[r]) continue;
      commit();
      end(r, CellState::kDiverged, *diverged + 1);
    }
  }

  void commit() {
    const Sitting::Clock::time_point begin = Sitting::Clock::now();
    recorder_.commit();
    sitting_.committed_since(begin);
  }

  void save() {
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      if (ended_[r]) continue;
      train::save_checkpoint(runs_.cells[r].checkpoint(), step_, r, parameters_, *optimizer_);
    }
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

  const Report& report_;
  at::Device device_;
  Runs runs_;
  const config::RunConfig& shape_;  // what the runs have in common
  std::unique_ptr<tasks::Task> task_;
  models::Stack model_;
  models::Parameters parameters_;
  std::unique_ptr<train::Optimizer> optimizer_;
  at::Tensor limits_;  // [R]
  probe::Probe probe_;
  std::int64_t step_;  // the next one
  train::Recorder recorder_;
  Sitting sitting_;
  std::vector<bool> ended_;  // [R]
};

}  // namespace

PackOutcome train_pack(const PackOptions& options, const std::atomic<bool>& stop,
                       const Report& report) {
  std::vector<record::CellLock> locks;
  for (const std::filesystem::path& folder : options.cells) {
    locks.emplace_back(CellFolder{folder});
  }
  return Pack(options, report).train(stop);
}

}  // namespace layerlab::worker
