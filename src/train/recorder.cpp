#include "train/recorder.h"

#include <ATen/ATen.h>

#include <limits>
#include <utility>

#include "config/schedule.h"

namespace layerlab::train {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Recorder::Recorder(const std::vector<std::filesystem::path>& paths,
                   std::vector<config::RunConfig> runs, std::int64_t first, double chance_loss)
    : runs_(std::move(runs)),
      boxes_(paths.size(), BlackBox(chance_loss)),
      diverged_(paths.size()),
      ended_(paths.size()),
      latest_{kNaN, kNaN, kNaN} {
  for (const std::filesystem::path& path : paths) writers_.emplace_back(path, first);
  for (std::size_t r = 0; first > 0 && r < paths.size(); ++r) {
    boxes_[r].restore(record::Reader(paths[r]));
  }
}

void Recorder::keep(std::int64_t step, const StepResult& result) {
  kept_.push_back({step, at::stack({result.loss, result.accuracy.to(result.loss.dtype()),
                                    result.grad_norm, result.grad_norm_clipped})});
}

void Recorder::flush() {
  if (kept_.empty()) return;
  std::vector<at::Tensor> values;
  for (const Kept& kept : kept_) values.push_back(kept.values);
  const at::Tensor host = at::stack(values).to(at::kCPU, at::kDouble);  // [steps, 4, R]
  const auto numbers = host.accessor<double, 3>();
  for (std::size_t r = 0; r < writers_.size(); ++r) {
    for (std::size_t i = 0; i < kept_.size() && !ended_[r]; ++i) {
      write_scalars(r, kept_[i].step, numbers[i][0][r], numbers[i][1][r], numbers[i][2][r],
                    numbers[i][3][r]);
    }
  }

  const std::size_t last = kept_.size() - 1;
  Latest sum{0, 0, 0};
  int going = 0;
  for (std::size_t r = 0; r < writers_.size(); ++r) {
    if (ended_[r]) continue;
    ++going;
    sum.loss += numbers[last][0][r];
    sum.lr += config::learning_rate(runs_[r], kept_[last].step);
    sum.grad_norm += numbers[last][2][r];
  }
  latest_ = {sum.loss / going, sum.lr / going, sum.grad_norm / going};
  kept_.clear();
}

void Recorder::write(std::int64_t step, const std::vector<probe::Readings>& readings) {
  for (std::size_t r = 0; r < writers_.size(); ++r) {
    const bool just_diverged = diverged_[r] && *diverged_[r] == step;
    if (ended_[r] && !just_diverged) continue;
    writers_[r].add_all(readings[r].sites);
    writers_[r].add_all(readings[r].params);
    for (const record::EventRow& row : boxes_[r].see(readings[r])) writers_[r].add(row);
  }
}

void Recorder::write(const std::vector<Analyses>& analyses) {
  for (std::size_t r = 0; r < writers_.size(); ++r) {
    if (ended_[r]) continue;
    for (const record::ScalarRow& row : analyses[r].scalars) writers_[r].add(row);
    for (const record::DependencyRow& row : analyses[r].dependencies) writers_[r].add(row);
  }
}

void Recorder::write_evaluation(std::size_t replica, std::int64_t step, double loss,
                                double accuracy) {
  writers_[replica].add(record::ScalarRow{step, "eval_loss", loss});
  writers_[replica].add(record::ScalarRow{step, "eval_accuracy", accuracy});
}

void Recorder::write_event(std::size_t replica, const record::EventRow& row) {
  writers_[replica].add(row);
}

void Recorder::add_seconds(std::int64_t step, double seconds) {
  for (record::Writer& writer : writers_) writer.add_timing(step, "seconds", seconds);
}

void Recorder::commit() {
  for (record::Writer& writer : writers_) writer.commit();
}

void Recorder::write_scalars(std::size_t replica, std::int64_t step, double loss, double accuracy,
                             double grad_norm, double grad_norm_clipped) {
  record::Writer& writer = writers_[replica];
  writer.add(record::ScalarRow{step, "loss", loss});
  writer.add(record::ScalarRow{step, "accuracy", accuracy});
  writer.add(record::ScalarRow{step, "lr", config::learning_rate(runs_[replica], step)});
  writer.add(record::ScalarRow{step, "grad_norm", grad_norm});
  writer.add(record::ScalarRow{step, "grad_norm_clipped", grad_norm_clipped});
  const BlackBox::Step seen{step, loss, grad_norm};
  for (const record::EventRow& row : boxes_[replica].see(seen)) writer.add(row);
  if (seen.finite()) return;
  diverged_[replica] = step;
  end(replica);
}

}  // namespace layerlab::train
