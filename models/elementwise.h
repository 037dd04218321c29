// Functions of tensors whose results for a replica do not depend on its company.
//   const at::Tensor y = elementwise(x, &at::tanh);
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace layerlab::models {

// f(x) for an element-wise f and x [R, ...]. On the CPU torch computes a tensor's last elements,
// those that do not fill a vector register, with other code that rounds otherwise: where replicas
// do not begin at whole registers, each is computed by itself.
at::Tensor elementwise(const at::Tensor& x, const std::function<at::Tensor(const at::Tensor&)>& f);

// x / |x| over the last dimension.
at::Tensor normalised(const at::Tensor& x);

}  // namespace layerlab::models
