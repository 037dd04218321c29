// Optimisers whose update is a formula of each element by itself.
#pragma once

#include "train/optimizer.h"

namespace layerlab::train {

class FormulaOptimizer : public Optimizer {
 public:
  using Optimizer::Optimizer;

 protected:
  // Some columns of [R, P] each. A formula puts new tensors in their places and leaves the old ones
  // as they are. On the CPU a replica's bits do not depend on its company as long as formulas are
  // made of operations that are rounded exactly: + - * /, sqrt, sign, where.
  struct Tensors {
    at::Tensor weights;
    std::vector<at::Tensor> states;  // in the order of add_state()
    const at::Tensor gradients;
  };

  // The numbers of the formula that are the same for all elements of a run.
  virtual std::vector<double> coefficients(const config::RunConfig& run,
                                           std::int64_t step) const = 0;

  // The update. c[i]: [R, 1], the i-th coefficient of each replica.
  virtual void formula(Tensors& t, const std::vector<at::Tensor>& c) const = 0;

 private:
  void update(std::int64_t step, const Walk& walk) final;
};

}  // namespace layerlab::train
