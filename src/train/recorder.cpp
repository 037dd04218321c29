#include "train/recorder.h"

#include <ATen/ATen.h>

#include <utility>

#include "config/schedule.h"

namespace layerlab::train {

void StepBuffer::add(std::int64_t step, const StepResult& result) {
  steps_.push_back(step);
  values_.push_back(at::stack({result.loss, result.accuracy.to(result.loss.dtype()),
                               result.grad_norm, result.grad_norm_clipped}));
}

std::vector<std::vector<StepValues>> StepBuffer::take() {
  if (steps_.empty()) return {};
  const at::Tensor host = at::stack(values_).to(at::kCPU, at::kDouble);  // [steps, 4, R]
  const auto numbers = host.accessor<double, 3>();
  std::vector<std::vector<StepValues>> result(static_cast<std::size_t>(host.size(2)));
  for (std::size_t r = 0; r < result.size(); ++r) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const auto of = numbers[i];
      result[r].push_back({steps_[i], of[0][r], of[1][r], of[2][r], of[3][r]});
    }
  }
  steps_.clear();
  values_.clear();
  return result;
}

Recorder::Recorder(const std::filesystem::path& path, config::RunConfig run, std::int64_t first,
                   double chance_loss)
    : writer_(path, first), run_(std::move(run)), box_(chance_loss) {
  if (first > 0) box_.restore(record::Reader(path));
}

void Recorder::write(const StepValues& values) {
  if (diverged_at_) return;
  const std::int64_t step = values.step;
  writer_.add(record::ScalarRow{step, "loss", values.loss});
  writer_.add(record::ScalarRow{step, "accuracy", values.accuracy});
  writer_.add(record::ScalarRow{step, "lr", config::learning_rate(run_, step)});
  writer_.add(record::ScalarRow{step, "grad_norm", values.grad_norm});
  writer_.add(record::ScalarRow{step, "grad_norm_clipped", values.grad_norm_clipped});
  const BlackBox::Step seen{step, values.loss, values.grad_norm};
  for (const record::EventRow& row : box_.observe(seen)) writer_.add(row);
  if (!seen.finite()) diverged_at_ = step;
}

void Recorder::write(std::int64_t step, const probe::StepMeasurements& measured) {
  if (diverged_at_ && *diverged_at_ < step) return;
  writer_.add_all(measured.sites);
  writer_.add_all(measured.params);
  for (const record::EventRow& row : box_.observe(measured)) writer_.add(row);
}

void Recorder::write(const Analyses& analyses) {
  for (const record::ScalarRow& row : analyses.scalars) writer_.add(row);
  for (const record::DependencyRow& row : analyses.dependencies) writer_.add(row);
}

void Recorder::write_evaluation(std::int64_t step, double loss, double accuracy) {
  writer_.add(record::ScalarRow{step, "eval_loss", loss});
  writer_.add(record::ScalarRow{step, "eval_accuracy", accuracy});
}

void Recorder::write_seconds(std::int64_t step, double seconds) {
  writer_.add_timing(step, "seconds", seconds);
}

}  // namespace layerlab::train
