#include "probe/perturbation.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cassert>

#include "core/random.h"
#include "probe/lengths.h"

namespace layerlab::probe {

at::Tensor random_direction(const models::Parameters& parameters,
                            const std::vector<std::uint64_t>& seeds) {
  assert(std::ssize(seeds) == parameters.replicas());
  const at::Tensor& values = parameters.values();
  const at::Tensor direction = at::zeros(values.sizes(), at::kDouble);
  for (const models::Parameters::Slot& slot : parameters.slots()) {
    const at::Tensor part = direction.narrow(1, slot.begin, slot.count);
    for (std::int64_t r = 0; r < part.size(0); ++r) {
      RandomStream stream(seeds[r], Purpose::kProbe, slot.name);
      double* numbers = part[r].data_ptr<double>();
      for (std::int64_t i = 0; i < slot.count; ++i) numbers[i] = stream.normal();
    }
    const at::Tensor weights = values.narrow(1, slot.begin, slot.count).to(at::kCPU, at::kDouble);
    part.mul_(weights.std({1}, /*correction=*/0, /*keepdim=*/true));
  }
  return direction.to(values.options());
}

at::Tensor amplification(models::Parameters& parameters, const std::function<at::Tensor()>& forward,
                         double relative, const std::vector<std::uint64_t>& seeds,
                         const at::Tensor& lengths) {
  const c10::AutoGradMode no_gradients(false);
  at::Tensor values = parameters.values();
  const at::Tensor weights = values.clone(), first = forward();
  values.add_(random_direction(parameters, seeds), relative);
  const at::Tensor change = forward() - first;
  values.copy_(weights);
  const at::Tensor of_tokens = change.square().sum(-1), real = real_positions(lengths, change);
  if (!real.defined()) return of_tokens.flatten(1).mean(1);
  return at::where(real, of_tokens, 0.0).flatten(1).sum(1) / real.flatten(1).sum(1);
}

}  // namespace layerlab::probe
