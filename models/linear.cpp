#include "models/linear.h"

#include <ostream>

namespace layerlab::models {

LinearImpl::LinearImpl(const LinearOptions& linear_options) : options(linear_options) { reset(); }

void LinearImpl::reset() {
  weight = register_parameter("weight", at::empty({options.replicas, options.out, options.in}));
  if (options.bias) bias = register_parameter("bias", at::zeros({options.replicas, options.out}));
}

at::Tensor LinearImpl::forward(const at::Tensor& x) {
  const at::Tensor rows = x.flatten(1, 2);  // [R, BT, in]
  const at::Tensor transposed = weight.transpose(1, 2);
  const at::Tensor y =
      bias.defined() ? at::baddbmm(bias.unsqueeze(1), rows, transposed) : at::bmm(rows, transposed);
  return y.unflatten(1, {x.size(1), x.size(2)});
}

void LinearImpl::pretty_print(std::ostream& stream) const {
  stream << "layerlab::Linear(" << options.in << " -> " << options.out
         << (options.bias ? "" : ", no bias") << ", replicas=" << options.replicas << ")";
}

}  // namespace layerlab::models
