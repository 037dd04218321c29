// Gradient descent, plain and with momentum.
#pragma once

#include "train/formula_optimizer.h"

namespace layerlab::train {

// With g the gradient plus weight_decay w:  w <- w - lr g  (Robbins & Monro 1951).
class Sgd : public FormulaOptimizer {
 public:
  using FormulaOptimizer::FormulaOptimizer;

 private:
  std::vector<double> coefficients(const config::RunConfig& run, std::int64_t step) const override;
  void formula(Tensors& t, const std::vector<at::Tensor>& c) const override;
};

// v <- momentum v + g,  w <- w - lr v  (Polyak 1964; in the form of Sutskever et al. 2013, ICML,
// with the learning rate outside the velocity, as torch.optim.SGD has it).
class Momentum : public FormulaOptimizer {
 public:
  Momentum(models::Parameters& parameters, std::vector<config::RunConfig> runs);

 private:
  std::vector<double> coefficients(const config::RunConfig& run, std::int64_t step) const override;
  void formula(Tensors& t, const std::vector<at::Tensor>& c) const override;
};

}  // namespace layerlab::train
