#include "probe/quantities.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

namespace layerlab::probe {

at::Tensor token_norms(const at::Tensor& x) { return at::linalg_vector_norm(x, 2, {-1}); }

at::Tensor rms(const at::Tensor& norms, std::int64_t width) {
  const at::Tensor per_replica = norms.flatten(1);
  const double count = static_cast<double>(per_replica.size(1) * width);
  return total_norm(per_replica) * (1 / std::sqrt(count));
}

at::Tensor token_cosine(const at::Tensor& x, const at::Tensor& norms) {
  const double T = static_cast<double>(x.size(2));
  if (T < 2) return at::full({x.size(0)}, std::numeric_limits<double>::quiet_NaN(), x.options());
  const double smallest = std::numeric_limits<float>::min();
  const at::Tensor unit = x / norms.clamp_min(smallest).unsqueeze(-1);
  // The squared norm of the sum holds every pair twice and every token once with itself.
  const at::Tensor all = unit.sum(2).square().sum(-1);                // [R, B, ...]
  const at::Tensor itself = (norms > smallest).to(x.dtype()).sum(2);  // [R, B, ...]
  return ((all - itself) / (T * (T - 1))).flatten(1).mean(1);
}

at::Tensor total_norm(const at::Tensor& x) {
  return at::linalg_vector_norm(x.reshape({x.size(0), -1}), 2, {1});
}

}  // namespace layerlab::probe
