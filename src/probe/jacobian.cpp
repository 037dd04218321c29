#include "probe/jacobian.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include "probe/lengths.h"

namespace layerlab::probe {

at::Tensor mean_squared_singular_value(
    const std::function<at::Tensor(const at::Tensor& x)>& function, const at::Tensor& x,
    const at::Tensor& lengths) {
  const c10::AutoGradMode with_gradients(true);
  const at::Tensor input = x.detach().clone().requires_grad_();
  at::Tensor output = function(input);
  const at::Tensor real = real_positions(lengths, output);
  if (real.defined()) output = at::where(real.unsqueeze(-1), output, 0.0);
  output = output.flatten(2);  // [R, B, TD]
  const std::int64_t size = output.size(2);
  // The squares of all singular values add up to those of all entries.
  at::Tensor sum = at::zeros({x.size(0), x.size(1)}, x.options());
  for (std::int64_t i = 0; i < size; ++i) {
    const auto row = torch::autograd::grad({output.select(2, i).sum()}, {input}, {},
                                           /*retain_graph=*/true);
    sum += row[0].flatten(2).square().sum(2);
  }
  if (real.defined()) return (sum / (real.sum(2) * x.size(3))).mean(1);
  return sum.mean(1) / static_cast<double>(size);
}

}  // namespace layerlab::probe
