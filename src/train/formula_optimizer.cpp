#include "train/formula_optimizer.h"

#include <ATen/ATen.h>

namespace layerlab::train {

void FormulaOptimizer::update(std::int64_t step) {
  std::vector<double> numbers;
  for (const config::RunConfig& run : runs_) {
    for (const double number : coefficients(run, step)) numbers.push_back(number);
  }
  const at::Tensor& weights = parameters_.values();
  const at::Tensor table = at::tensor(numbers, at::kDouble)
                               .view({weights.size(0), -1})
                               .to(weights.options(), /*non_blocking=*/true);

  Tensors t{weights, {}, parameters_.gradients()};
  for (const State& state : states()) t.states.push_back(state.values);
  formula(t, table.split(1, 1));

  const at::Tensor moves = alive().unsqueeze(1);
  const auto keep = [&](at::Tensor before, const at::Tensor& after) {
    at::where_out(before, moves, after, before);
  };
  keep(weights, t.weights);
  for (std::size_t i = 0; i < states().size(); ++i) keep(states()[i].values, t.states[i]);
}

}  // namespace layerlab::train
