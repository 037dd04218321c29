// Writes the measurements of one run into its record.
#pragma once

#include <cstddef>
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

// The numbers of one step of one run.
struct StepValues {
  std::int64_t step = 0;
  double loss = 0, accuracy = 0, grad_norm = 0, grad_norm_clipped = 0;
};

// Results of steps that wait on the device, so that steps need not wait for the host.
class StepBuffer {
 public:
  void add(std::int64_t step, const StepResult& result);
  std::size_t size() const { return steps_.size(); }

  // Copies all of them to the host at once and leaves the buffer empty. [R][steps], in their order.
  // Waits for the device.
  std::vector<std::vector<StepValues>> take();

 private:
  std::vector<std::int64_t> steps_;
  std::vector<at::Tensor> values_;  // [4, R] each: loss, accuracy, grad_norm, grad_norm_clipped
};

// The run's black box sees all rows. The first step whose loss or gradient is not finite
// is the last of the record.
class Recorder {
 public:
  // Rows of steps >= `first` go. `chance_loss`: the task's.
  Recorder(const std::filesystem::path& path, config::RunConfig run, std::int64_t first,
           double chance_loss);

  void write(const StepValues& values);
  // The probe's measurements of a step whose values are written.
  void write(std::int64_t step, const probe::StepMeasurements& measured);
  void write(const Analyses& analyses);
  // Of the weights after `step` updates.
  void write_evaluation(std::int64_t step, double loss, double accuracy);
  void write_event(const record::EventRow& row) { writer_.add(row); }
  // Notes how long training had taken when `step` was done. At most once a step.
  void write_seconds(std::int64_t step, double seconds);

  // Makes all rows durable.
  void commit() { writer_.commit(); }

  // The step whose loss or gradient was not finite.
  std::optional<std::int64_t> diverged_at() const { return diverged_at_; }

 private:
  record::Writer writer_;
  config::RunConfig run_;
  BlackBox box_;
  std::optional<std::int64_t> diverged_at_;
};

}  // namespace layerlab::train
