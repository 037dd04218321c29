#include "models/rotary.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace layerlab::models {

at::Tensor Rotary::rotate(const at::Tensor& x) {
  const std::int64_t T = x.size(-2), K = x.size(-1);
  if (!cos_.defined() || cos_.size(0) != T || cos_.options().dtype() != x.options().dtype() ||
      cos_.device() != x.device()) {
    const at::Tensor even = at::arange(0, K, 2, at::kDouble);
    const at::Tensor frequency = at::pow(10000.0, even * (-1.0 / static_cast<double>(K)));
    const at::Tensor half = at::arange(T, at::kDouble).unsqueeze(1) * frequency;  // [T, K/2]
    const at::Tensor angle = at::cat({half, half}, -1);
    cos_ = angle.cos().to(x.options());
    sin_ = angle.sin().to(x.options());
  }
  const at::Tensor turned = at::cat({-x.narrow(-1, K / 2, K / 2), x.narrow(-1, 0, K / 2)}, -1);
  return x * cos_ + turned * sin_;
}

}  // namespace layerlab::models
