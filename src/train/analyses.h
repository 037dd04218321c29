// Analyses of the whole model in between steps: what probe.analyses asks for.
//   for (const Analyses& of_replica : analyse(trainer, step, trainer.draw(step))) ...
#pragma once

#include <cstdint>
#include <vector>

#include "record/record.h"
#include "train/batch.h"
#include "train/trainer.h"

namespace layerlab::train {

// Of one replica.
struct Analyses {
  std::vector<record::ScalarRow> scalars;
  std::vector<record::DependencyRow> dependencies;
};

// Of each replica before `step`, on that step's batch and without dropout:
//   amplification   |F(W) - F(W + d)|^2 of a token, d of 5 % of each parameter's standard
//                   deviation; F is the stream that the head reads (probe/perturbation.h)
//   sharpness       largest eigenvalue of the Hessian of the minimised loss (probe/sharpness.h)
//   adam_sharpness  the same as Adam sees it; none before the first update
//   jacobian_sv     mean squared singular value from the embedded tokens to F, of each sequence:
//                   T D backward passes (probe/jacobian.h)
//   dependency      beta_ij of Admin (probe/dependency.h)
// Padding is left out. Weights, gradients and the optimiser keep their bits. Waits for the device.
// REQUIRES: what config::validate() checks.
std::vector<Analyses> analyse(Trainer& trainer, std::int64_t step, const Batch& batch);

}  // namespace layerlab::train
