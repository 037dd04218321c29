// Lion: steps of one size, by the sign of an average.
#pragma once

#include "train/formula_optimizer.h"

namespace layerlab::train {

// With betas (b1, b2), average m and gradient g:
//   w <- w - lr (sign(b1 m + (1 - b1) g) + weight_decay w),  m <- b2 m + (1 - b2) g
// Chen et al. 2023, arXiv 2302.06675, algorithm 2. It wants rates 3 to 10 times smaller than
// AdamW's and weight decay as many times larger (section 5).
class Lion : public FormulaOptimizer {
 public:
  Lion(models::Parameters& parameters, std::vector<config::RunConfig> runs);

 private:
  std::vector<double> coefficients(const config::RunConfig& run, std::int64_t step) const override;
  void formula(Tensors& t, const std::vector<at::Tensor>& c) const override;
};

}  // namespace layerlab::train
