#include "probe/dependency.h"

#include <ATen/ATen.h>

#include <cassert>

#include "probe/lengths.h"

namespace layerlab::probe {
namespace {

// Replica r's values that play `role` in the sub-layers, from the bottom: [1, n] at a root mean
// square of 1, zeros where there is padding. In memory of their own: LAPACK's bits depend on where
// numbers begin.
std::vector<at::Tensor> with_role(const std::vector<equation::Tap>& taps,
                                  const std::vector<at::Tensor>& values, const char* role,
                                  std::int64_t r, const at::Tensor& real) {
  std::vector<at::Tensor> result;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    for (const equation::Site& site : taps[i].sites) {
      if (site.layer < 0 || site.role != role) continue;
      at::Tensor value = values[i].slice(0, r, r + 1);
      if (real.defined()) value = at::where(real.slice(0, r, r + 1).unsqueeze(-1), value, 0.0);
      const at::Tensor flat = value.flatten(1).to(at::kCPU, at::kDouble).clone();
      result.push_back(flat / flat.square().mean(1, /*keepdim=*/true).sqrt());
    }
  }
  return result;
}

}  // namespace

at::Tensor branch_dependency(const std::vector<equation::Tap>& taps,
                             const std::vector<at::Tensor>& values, const at::Tensor& lengths) {
  const at::Tensor real = real_positions(lengths, values.front());
  const std::int64_t R = values.front().size(0);
  at::Tensor beta;
  for (std::int64_t r = 0; r < R; ++r) {
    const auto streams = with_role(taps, values, "out", r, real),
               branches = with_role(taps, values, "branch", r, real);
    assert(streams.size() == branches.size() && !streams.empty());
    const std::int64_t S = std::ssize(streams);
    if (r == 0) beta = at::zeros({R, S, S + 1}, at::kDouble);
    std::vector<at::Tensor> parts = {with_role(taps, values, "in", r, real).front()};
    for (std::int64_t i = 0; i < S; ++i) {
      parts.push_back(branches[i]);
      const at::Tensor basis = at::stack(parts, 2);  // [1, n, i + 2]
      const at::Tensor nearest = std::get<0>(at::linalg_lstsq(basis, streams[i].unsqueeze(2)));
      beta[r][i].narrow(0, 0, i + 2).copy_(nearest.flatten());
    }
  }
  return beta;
}

}  // namespace layerlab::probe
