#include "train/loss.h"

#include <ATen/ATen.h>

#include <cassert>
#include <limits>

#include "tasks/task.h"

namespace layerlab::train {
namespace {

at::Tensor scored(const at::Tensor& targets) {
  return targets.is_floating_point() ? targets.isnan().logical_not() : targets != tasks::kIgnored;
}

// Means over the scored positions; `each` [R, B, T] is 0 elsewhere.
at::Tensor mean(const at::Tensor& each, const at::Tensor& count) {
  return each.flatten(1).sum(1) / count;
}

Loss squared_error(const at::Tensor& outputs, const at::Tensor& targets, const at::Tensor& count) {
  const at::Tensor difference = outputs.squeeze(-1) - targets.to(outputs.dtype());
  const at::Tensor each = difference.masked_fill(scored(targets).logical_not(), 0).square();
  const at::Tensor loss = mean(each, count);
  return {loss, loss, at::full_like(loss, std::numeric_limits<double>::quiet_NaN())};
}

Loss cross_entropy(const at::Tensor& logits, const at::Tensor& targets, const at::Tensor& count,
                   const LossOptions& options) {
  const auto entropy = [&](double smoothing) {
    return at::cross_entropy_loss(logits.flatten(0, 2), targets.flatten(), {}, at::Reduction::None,
                                  tasks::kIgnored, smoothing)
        .view_as(targets);  // 0 where not scored
  };
  const at::Tensor plain = entropy(0);
  at::Tensor minimised = options.label_smoothing > 0 ? entropy(options.label_smoothing) : plain;
  if (options.z_loss > 0) {
    const at::Tensor classes = targets.clamp_min(0).unsqueeze(-1);
    // -log p[target] is log Z - output[target].
    const at::Tensor log_z = plain + logits.gather(-1, classes).squeeze(-1);
    minimised = minimised + options.z_loss * log_z.square() * scored(targets);
  }
  const at::Tensor right = logits.argmax(-1) == targets;
  return {mean(minimised, count), mean(plain, count), mean(right, count)};
}

}  // namespace

at::Tensor scored_count(const at::Tensor& targets) { return scored(targets).flatten(1).sum(1); }

Loss score(const at::Tensor& outputs, const at::Tensor& targets, const at::Tensor& count,
           const LossOptions& options) {
  if (!targets.is_floating_point()) return cross_entropy(outputs, targets, count, options);
  assert(options.label_smoothing == 0 && options.z_loss == 0);
  return squared_error(outputs, targets, count);
}

}  // namespace layerlab::train
