// Runs of one shape as replicas of one model, with all that their steps need.
//   Trainer trainer(runs, at::kCPU);
//   trainer.begin();
//   trainer.step(0, trainer.draw(0), nullptr);
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "config/run_config.h"
#include "models/parameters.h"
#include "models/stack.h"
#include "probe/probe.h"
#include "tasks/task.h"
#include "train/batch.h"
#include "train/evaluate.h"
#include "train/optimizer.h"
#include "train/step.h"

namespace layerlab::train {

// Steps depend on the weights, the optimiser's state and the step's number alone, so that any of
// them can be repeated by another trainer of the same runs.
class Trainer {
 public:
  // Weights are drawn from the runs' seeds. REQUIRES: runs that can train together
  // (config::pack_key).
  Trainer(std::vector<config::RunConfig> runs, at::Device device);

  // The state before step 0: the weights of model.init_from, or those drawn and then changed by a
  // first forward pass (models/admin_profile.h). Throws UserError where the file has another hash
  // than model.init_content, or does not fit.
  void begin();
  // Replica r's state before `step`, from the run's checkpoints. Throws UserError as
  // load_checkpoint().
  void load(std::size_t r, const std::filesystem::path& checkpoints, std::int64_t step);
  // Copies the state of `other`'s replica r into replica 0.
  void copy(const Trainer& other, std::size_t r);

  Batch draw(std::int64_t step) const;

  // Takes one step of all replicas. `probe` may be null.
  StepResult step(std::int64_t step, const Batch& batch, probe::Probe* probe);

  Evaluation evaluate();

  const std::vector<config::RunConfig>& runs() const { return runs_; }
  const config::RunConfig& shape() const { return runs_.front(); }  // common to all
  at::Device device() const { return device_; }
  const tasks::Task& task() const { return *task_; }
  models::Stack& model() { return model_; }
  models::Parameters& parameters() { return parameters_; }
  const models::Parameters& parameters() const { return parameters_; }
  const Optimizer& optimizer() const { return *optimizer_; }

 private:
  void profile();

  std::vector<config::RunConfig> runs_;
  std::vector<std::uint64_t> seeds_;
  at::Device device_;
  std::unique_ptr<tasks::Task> task_;
  models::Stack model_;
  models::Parameters parameters_;
  std::unique_ptr<Optimizer> optimizer_;
  at::Tensor limits_;  // [R], of gradient norms; infinity: no clipping
};

}  // namespace layerlab::train
