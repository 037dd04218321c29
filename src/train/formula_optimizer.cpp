#include "train/formula_optimizer.h"

#include <ATen/ATen.h>

namespace layerlab::train {

void FormulaOptimizer::update(std::int64_t step, const Walk& walk) {
  std::vector<double> numbers;
  for (const config::RunConfig& run : runs_) {
    for (const double number : coefficients(run, step)) numbers.push_back(number);
  }
  const at::Tensor& weights = parameters_.values();
  const at::Tensor table = at::tensor(numbers, at::kDouble)
                               .view({weights.size(0), -1})
                               .to(weights.options(), /*non_blocking=*/true);

  const std::vector<at::Tensor> of_replicas = table.split(1, 1);
  const at::Tensor moves = alive().unsqueeze(1);
  const auto keep = [&](at::Tensor before, const at::Tensor& after) {
    at::where_out(before, moves, after, before);
  };
  walk([&](const models::Parameters::Group& columns) {
    std::vector<at::Tensor> before;
    for (const State& state : states()) before.push_back(columns.part(state.values));
    Tensors t{columns.part(weights), before, columns.part(parameters_.gradients())};
    formula(t, of_replicas);
    keep(columns.part(weights), t.weights);
    for (std::size_t i = 0; i < before.size(); ++i) keep(before[i], t.states[i]);
  });
}

}  // namespace layerlab::train
