// Writes the measurements of runs that train as replicas, each into its own record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "config/run_config.h"
#include "probe/probe.h"
#include "record/record.h"
#include "train/analyses.h"
#include "train/black_box.h"
#include "train/step.h"

namespace layerlab::train {

// Steps are kept on the device until flush(), which copies them to the host at once, and shows them
// to the run's black box. A run whose loss or gradient was not finite has its last rows at that
// step.
class Recorder {
 public:
  // paths[r] is the record of replica r, which is runs[r]. Rows of steps >= `first` go.
  // `chance_loss`: the task's.
  Recorder(const std::vector<std::filesystem::path>& paths, std::vector<config::RunConfig> runs,
           std::int64_t first, double chance_loss);

  void keep(std::int64_t step, const StepResult& result);
  std::size_t kept() const { return kept_.size(); }

  // Writes what was kept. Waits for the device.
  void flush();

  // Writes the readings of a step that was flushed, readings[r] for replica r.
  void write(std::int64_t step, const std::vector<probe::Readings>& readings);

  void write(const std::vector<Analyses>& analyses);  // analyses[r] for replica r

  // Writes an evaluation of replica r, of the weights after `step` updates.
  void write_evaluation(std::size_t replica, std::int64_t step, double loss, double accuracy);
  void write_event(std::size_t replica, const record::EventRow& row);

  // Replica r has ended: what is kept of it later is not written.
  void end(std::size_t replica) { ended_[replica] = true; }

  // Notes how long training had taken when `step` was done. At most once a step.
  void add_seconds(std::int64_t step, double seconds);

  // Makes durable what was written.
  void commit();

  // The step whose loss or gradient was not finite, as of the last flush.
  std::optional<std::int64_t> diverged_at(std::size_t replica) const { return diverged_[replica]; }

  // Means over the runs that go on, of the last step flushed. NaN before the first.
  struct Latest {
    double loss, lr, grad_norm;
  };
  const Latest& latest() const { return latest_; }

 private:
  struct Kept {
    std::int64_t step;
    at::Tensor values;  // [4, R]: loss, accuracy, grad_norm, grad_norm_clipped
  };

  void write_scalars(std::size_t replica, std::int64_t step, double loss, double accuracy,
                     double grad_norm, double grad_norm_clipped);

  std::vector<record::Writer> writers_;
  std::vector<config::RunConfig> runs_;
  std::vector<BlackBox> boxes_;
  std::vector<std::optional<std::int64_t>> diverged_;
  std::vector<bool> ended_;
  std::vector<Kept> kept_;
  Latest latest_;
};

}  // namespace layerlab::train
