#include "train/formula_optimizer.h"

#include <ATen/ATen.h>

namespace layerlab::train {
namespace {

// `after` where the replica is alive, into `before`.
void keep(const at::Tensor& before, const at::Tensor& alive, const at::Tensor& after) {
  at::Tensor out = before;
  at::where_out(out, alive, after, before);
}

}  // namespace

void FormulaOptimizer::update(std::int64_t step) {
  const std::int64_t R = parameters_.replicas();
  std::vector<double> numbers;
  for (const config::RunConfig& run : runs_) {
    for (const double number : coefficients(run, step)) numbers.push_back(number);
  }
  const at::Tensor& weights = parameters_.values();
  const at::Tensor table =
      at::tensor(numbers, at::kDouble).view({R, -1}).to(weights.options(), /*non_blocking=*/true);

  // On the CPU a replica at a time: torch's kernels round a tensor's last elements otherwise, so
  // that a replica's bits would depend on its company.
  const std::int64_t n = weights.is_cpu() ? 1 : R;
  for (std::int64_t begin = 0; begin < R; begin += n) {
    const auto part = [&](const at::Tensor& whole) { return whole.narrow(0, begin, n); };
    Rows rows{part(weights), {}, part(parameters_.gradients())};
    for (const State& state : states()) rows.states.push_back(part(state.values));
    formula(rows, part(table).split(1, 1));

    const at::Tensor alive_rows = part(alive()).unsqueeze(1);
    keep(part(weights), alive_rows, rows.weights);
    for (std::size_t i = 0; i < states().size(); ++i) {
      keep(part(states()[i].values), alive_rows, rows.states[i]);
    }
  }
}

}  // namespace layerlab::train
