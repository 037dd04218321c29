// The loss. No other file knows of positions that are not scored.
//   const Loss loss = score(outputs, targets, scored_count(targets), {.label_smoothing = 0.1});
#pragma once

#include <ATen/core/Tensor.h>

namespace layerlab::train {

struct LossOptions {
  double label_smoothing = 0;  // part of the target that all classes share
  double z_loss = 0;           // coefficient of log^2 Z
};

// Means over the scored positions of each replica. [R] each.
struct Loss {
  at::Tensor minimised;  // `loss`, smoothed and with the z-loss
  at::Tensor loss;       // the recorded one: comparable whatever the options
  at::Tensor accuracy;   // fraction whose best class is the target; NaN where there are no classes
};

// How many positions of each replica are scored: [R].
at::Tensor scored_count(const at::Tensor& targets);

// The kind of target decides:
//   int64, tasks::kIgnored where not scored: `loss` is the cross-entropy in nats, -log p[target],
//     of outputs [R, B, T, C], C classes. Minimised is, with s = label_smoothing,
//       (1 - s) (-log p[target]) + s mean_c(-log p[c]) + z_loss log^2 Z,  Z = sum_c exp(output[c])
//     (Szegedy et al. 2016, arXiv 1512.00567, section 7; Chowdhery et al. 2022, PaLM,
//     arXiv 2204.02311, section 5).
//   floating, NaN where not scored: `loss` is the squared error of outputs [R, B, T, 1].
// targets: [R, B, T]. The sums are divided by `count`: scored_count(targets), or for a part of a
// batch that of the whole. REQUIRES: count > 0; no options with floating targets.
Loss score(const at::Tensor& outputs, const at::Tensor& targets, const at::Tensor& count,
           const LossOptions& options = {});

}  // namespace layerlab::train
