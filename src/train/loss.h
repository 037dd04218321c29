// The loss, and the only place that knows of positions which are not scored.
#pragma once

#include <ATen/core/Tensor.h>

namespace layerlab::train {

struct Loss {
  at::Tensor loss;      // [R], cross-entropy in nats, mean over a replica's scored positions
  at::Tensor accuracy;  // [R], fraction of scored positions whose best class is the target
};

// logits [R, B, T, classes]; targets [R, B, T] int64, tasks::kIgnored where not scored.
// REQUIRES: every replica has a scored position.
Loss cross_entropy(const at::Tensor& logits, const at::Tensor& targets);

}  // namespace layerlab::train
