#include "probe/reductions.h"

#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <limits>
#include <vector>

namespace layerlab::probe::reductions {
namespace {

using NoAutocast = c10::impl::ExcludeDispatchKeyGuard;

// bfloat16 has three digits: too few to measure in.
at::Tensor precise(const at::Tensor& x) {
  return x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x;
}

// [R, B, T, ..., D] and its token norms -> [R].
at::Tensor token_cosine(const at::Tensor& x, const at::Tensor& norms) {
  const double T = static_cast<double>(x.size(2));
  const double smallest = std::numeric_limits<float>::min();
  const at::Tensor unit = x / norms.clamp_min(smallest).unsqueeze(-1);
  // The squared norm of the sum holds every pair twice and every token once with itself.
  const at::Tensor all = unit.sum(2).square().sum(-1);                // [R, B, ...]
  const at::Tensor itself = (norms > smallest).to(x.dtype()).sum(2);  // [R, B, ...]
  return ((all - itself) / (T * (T - 1))).flatten(1).mean(1);
}

}  // namespace

at::Tensor value_quantities(const at::Tensor& value, bool cosine) {
  const NoAutocast no_autocast(c10::autocast_dispatch_keyset);
  const at::Tensor x = precise(value), flat = x.flatten(1);
  const at::Tensor norms = at::linalg_vector_norm(x, 2, {-1});  // [R, B, T, ...]
  const auto [var, mean] = at::var_mean(flat, at::OptionalIntArrayRef({1}), 0);
  const at::Tensor rms = norms.flatten(1).square().mean(1).div(x.size(-1)).sqrt();
  const at::Tensor nothing = at::full_like(mean, std::numeric_limits<double>::quiet_NaN());
  return at::stack({rms, norms.flatten(1).mean(1), flat.abs().amax(1), mean, var,
                    cosine && x.size(2) > 1 ? token_cosine(x, norms) : nothing},
                   1)
      .to(at::kDouble);
}

at::Tensor total_norm(const at::Tensor& x) {
  const NoAutocast no_autocast(c10::autocast_dispatch_keyset);
  return at::linalg_vector_norm(precise(x).flatten(1), 2, {1}, /*keepdim=*/true).to(at::kDouble);
}

at::Tensor slot_norms(const at::Tensor& part, const models::Parameters::Group& group) {
  std::vector<at::Tensor> parts;
  for (std::int64_t r = 0; r < part.size(0); ++r) {
    for (const models::Parameters::Slot& slot : group.slots) {
      parts.push_back(part[r].narrow(0, slot.begin - group.begin, slot.count));
    }
  }
  return at::stack(at::_foreach_norm(parts)).view({part.size(0), -1}).to(at::kDouble);
}

at::Tensor attention_quantities(const at::Tensor& logits, const at::Tensor& weights) {
  const NoAutocast no_autocast(c10::autocast_dispatch_keyset);
  const at::Tensor s = precise(logits), p = precise(weights);
  const at::Tensor entropy = at::special_entr(p).sum(-1).flatten(1).mean(1);
  return at::stack({entropy, s.flatten(1).amax(1)}, 1).to(at::kDouble);
}

}  // namespace layerlab::probe::reductions
