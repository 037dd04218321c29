// RAdam: Adam that waits until its second moment can be trusted.
#pragma once

#include "train/formula_optimizer.h"

namespace layerlab::train {

// With g the gradient plus weight_decay w, the moments m and v of Adam, t = step + 1,
// p_inf = 2 / (1 - b2) - 1 and p = p_inf - 2 t b2^t / (1 - b2^t):
//   p > 5:  w <- w - lr r m / (1 - b1^t) sqrt(1 - b2^t) / (sqrt(v) + eps)
//           r = sqrt((p - 4) (p - 2) p_inf / ((p_inf - 4) (p_inf - 2) p))
//   else:   w <- w - lr m / (1 - b1^t)
// Liu et al. 2020, arXiv 1908.03265, algorithm 2; the threshold 5 (4 there) and the place of eps
// are those of torch.optim.RAdam.
class Radam : public FormulaOptimizer {
 public:
  Radam(models::Parameters& parameters, std::vector<config::RunConfig> runs);

 private:
  std::vector<double> coefficients(const config::RunConfig& run, std::int64_t step) const override;
  void formula(Tensors& t, const std::vector<at::Tensor>& c) const override;
};

}  // namespace layerlab::train
