#include "models/dropout.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <c10/core/GradMode.h>

#include <utility>

#include "core/random.h"

namespace layerlab::models {

Dropout::Dropout(double p, std::vector<std::uint64_t> seeds, std::int64_t step, std::int64_t part)
    : p_(p),
      seeds_(std::move(seeds)),
      when_(" " + std::to_string(step) + " " + std::to_string(part)) {}

at::Tensor Dropout::operator()(const at::Tensor& x, const std::string& place) const {
  if (p_ == 0) return x;
  at::Tensor mask = at::empty_like(x, x.options().requires_grad(false));
  {
    const c10::AutoGradMode no_gradients(false);
    // The device's own generator, seeded anew for each mask: torch makes no others in one way for
    // all devices.
    at::Generator generator = at::globalContext().defaultGenerator(x.device());
    for (std::size_t r = 0; r < seeds_.size(); ++r) {
      RandomStream stream(seeds_[r], Purpose::kDropout, place + when_);
      const std::uint64_t high = stream.bits();
      generator.set_current_seed(high << 32 | stream.bits());
      mask[static_cast<std::int64_t>(r)].bernoulli_(1 - p_, generator);
    }
    mask.div_(1 - p_);
  }
  return x * mask;
}

}  // namespace layerlab::models
