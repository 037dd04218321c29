#include "probe/dependency.h"

#include <ATen/ATen.h>

#include <cassert>

namespace layerlab::probe {
namespace {

// The values that play `role` in the sub-layers, from the bottom.
std::vector<at::Tensor> with_role(const std::vector<equation::Tap>& taps,
                                  const std::vector<at::Tensor>& values, const char* role) {
  std::vector<at::Tensor> result;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    for (const equation::Site& site : taps[i].sites) {
      if (site.layer >= 0 && site.role == role)
        result.push_back(values[i].flatten(1).to(at::kCPU, at::kDouble));
    }
  }
  return result;
}

// [R, n] at a root mean square of 1, as columns [R, n, 1].
at::Tensor normed(const at::Tensor& flat) {
  return (flat / flat.square().mean(1, /*keepdim=*/true).sqrt()).unsqueeze(2);
}

}  // namespace

at::Tensor branch_dependency(const std::vector<equation::Tap>& taps,
                             const std::vector<at::Tensor>& values) {
  const std::vector<at::Tensor> streams = with_role(taps, values, "out"),
                                branches = with_role(taps, values, "branch");
  assert(streams.size() == branches.size() && !streams.empty());
  const auto S = static_cast<std::int64_t>(streams.size());
  std::vector<at::Tensor> parts = {normed(with_role(taps, values, "in").front())};
  const at::Tensor beta = at::zeros({streams[0].size(0), S, S + 1}, streams[0].options());
  for (std::int64_t i = 0; i < S; ++i) {
    parts.push_back(normed(branches[i]));
    const at::Tensor basis = at::cat(parts, 2);  // [R, n, i + 2]
    const at::Tensor x = normed(streams[i]);
    beta.select(1, i).narrow(1, 0, i + 2).copy_(std::get<0>(at::linalg_lstsq(basis, x)).squeeze(2));
  }
  return beta;
}

}  // namespace layerlab::probe
