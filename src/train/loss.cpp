#include "train/loss.h"

#include <ATen/ATen.h>

#include "tasks/task.h"

namespace layerlab::train {

Loss cross_entropy(const at::Tensor& logits, const at::Tensor& targets) {
  const at::Tensor scored = (targets != tasks::kIgnored).flatten(1);  // [R, BT]
  const at::Tensor count = scored.sum(1);                             // [R]
  const at::Tensor each =
      at::cross_entropy_loss(logits.flatten(0, 2), targets.flatten(), {}, at::Reduction::None,
                             tasks::kIgnored)
          .view_as(scored);  // 0 where not scored
  const at::Tensor right = (logits.argmax(-1) == targets).flatten(1);
  return {each.sum(1) / count, right.sum(1) / count};
}

}  // namespace layerlab::train
