#include "config/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace layerlab::config {
namespace {

double warmup_factor(const TrainConfig& train, double t) {
  if (train.warmup == 0) return 1;
  switch (train.warmup_shape) {
    case WarmupShape::kLinear:
      return std::min(1.0, t / train.warmup);
    case WarmupShape::kExponential:
      return 1 - std::exp(-t / train.warmup);
  }
  return 1;
}

// How far `step` is on the way from update `begin` to update `end`, from 0 to 1.
double progress(double step, double begin, double end) {
  return step <= begin ? 0 : std::min(1.0, (step - begin) / (end - begin));
}

double noam(double width, double warmup, double t) {
  const double decay = 1 / std::sqrt(t);
  const double rise = warmup > 0 ? t * std::pow(warmup, -1.5) : decay;
  return std::min(decay, rise) / std::sqrt(width);
}

}  // namespace

double learning_rate(const RunConfig& run, std::int64_t step) {
  const TrainConfig& train = run.train;
  const double t = static_cast<double>(step + 1);
  const double rate = train.lr * warmup_factor(train, t);
  const double decay = 1 - train.final_lr;
  const double done = progress(static_cast<double>(step), train.warmup, train.steps);
  switch (train.schedule) {
    case ScheduleKind::kConstant:
      return rate;
    case ScheduleKind::kLinear:
      return rate * (1 - decay * done);
    case ScheduleKind::kCosine:
      return rate * (1 - decay * (1 - std::cos(std::numbers::pi * done)) / 2);
    case ScheduleKind::kInverseSqrt:
      return rate * std::min(1.0, std::sqrt(std::max(train.warmup, 1) / t));
    case ScheduleKind::kNoam:
      return train.lr * noam(run.model.width, train.warmup, t);
    case ScheduleKind::kWsd:
      return rate * (1 - decay * progress(static_cast<double>(step), train.steps - train.decay,
                                          train.steps));
  }
  return rate;
}

}  // namespace layerlab::config
