#include "probe/sharpness.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <cassert>
#include <cmath>
#include <optional>

#include "core/random.h"

namespace layerlab::probe {
namespace {

using Tensors = std::vector<at::Tensor>;

at::Tensor first_vector(const models::Parameters& parameters,
                        const std::vector<std::uint64_t>& seeds) {
  assert(std::ssize(seeds) == parameters.replicas());
  const at::Tensor numbers = at::zeros(parameters.values().sizes(), at::kDouble);
  double* row = numbers.data_ptr<double>();
  for (const std::uint64_t seed : seeds) {
    RandomStream stream(seed, Purpose::kProbe, "sharpness");
    for (const models::Parameters::Slot& slot : parameters.slots()) {
      for (std::int64_t i = 0; i < slot.count; ++i) row[slot.begin + i] = stream.normal();
    }
    row += numbers.size(1);
  }
  return numbers.to(parameters.values().options());
}

at::Tensor norm_of(const at::Tensor& rows) {
  return at::linalg_vector_norm(rows, 2, {1}, /*keepdim=*/true);
}

// Products with the Hessians of all replicas at once: their losses share no parameters.
class Hessian {
 public:
  Hessian(const models::Parameters& parameters, const std::function<at::Tensor()>& loss)
      : parameters_(parameters) {
    for (const models::Parameters::Slot& slot : parameters.slots()) values_.push_back(slot.value);
    gradients_ = differentiate(loss().sum());
  }

  // [R, P] -> [R, P]
  at::Tensor times(const at::Tensor& vector) const {
    at::Tensor along;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!gradients_[i].defined() || !gradients_[i].requires_grad()) continue;
      const at::Tensor term = (gradients_[i] * parameters_.slots()[i].part(vector)).sum();
      along = along.defined() ? along + term : term;
    }
    at::Tensor result = at::zeros_like(vector);
    if (!along.defined()) return result;
    const Tensors products = differentiate(along);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (products[i].defined()) parameters_.slots()[i].part(result).copy_(products[i].detach());
    }
    return result;
  }

 private:
  Tensors differentiate(const at::Tensor& scalar) const {
    return torch::autograd::grad({scalar}, values_, {}, /*retain_graph=*/true,
                                 /*create_graph=*/true, /*allow_unused=*/true);
  }

  const models::Parameters& parameters_;
  Tensors values_, gradients_;
};

}  // namespace

at::Tensor sharpness(const models::Parameters& parameters, const std::function<at::Tensor()>& loss,
                     const std::vector<std::uint64_t>& seeds, const SharpnessOptions& options) {
  const c10::AutoGradMode with_gradients(true);
  const Hessian hessian(parameters, loss);
  const at::Tensor scale = options.preconditioner.defined() ? options.preconditioner.rsqrt()
                                                            : at::ones_like(parameters.values());
  at::Tensor vector = first_vector(parameters, seeds), value, moving;
  for (int i = 0; i < options.iterations; ++i) {
    vector = vector / norm_of(vector);
    const at::Tensor product = scale * hessian.times(scale * vector);
    const at::Tensor quotient = (vector * product).sum(1);  // Rayleigh's
    vector = product;
    if (i == 0) {
      value = quotient;
      moving = at::ones_like(value, at::kBool);
      continue;
    }
    const at::Tensor change = (quotient - value).abs();
    value = at::where(moving, quotient, value);  // one that has converged waits for the others
    moving = moving.logical_and(change > options.tolerance * quotient.abs());
    if (!moving.any().item<bool>()) break;
  }
  return value;
}

at::Tensor adam_preconditioner(const at::Tensor& second_moment, double beta2, double eps,
                               std::int64_t steps) {
  const double seen = 1 - std::pow(beta2, static_cast<double>(steps));
  return (second_moment / seen).sqrt() + eps;
}

}  // namespace layerlab::probe
