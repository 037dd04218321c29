#include "train/schedule.h"

#include <algorithm>

namespace layerlab::train {

double learning_rate(const config::TrainConfig& train, std::int64_t step) {
  const double done = static_cast<double>(step + 1);
  const double warmup = train.warmup > 0 ? std::min(1.0, done / train.warmup) : 1.0;
  switch (train.schedule) {
    case config::ScheduleKind::kConstant:
      return train.lr * warmup;
  }
  return train.lr;
}

}  // namespace layerlab::train
