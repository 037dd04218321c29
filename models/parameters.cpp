#include "models/parameters.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <utility>

namespace layerlab::models {
namespace {

// Parameters begin at multiples of 64 bytes of float32, as if each were allocated by itself.
constexpr std::int64_t kAlignment = 16;

std::int64_t aligned(std::int64_t count) {
  return (count + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

at::Tensor Parameters::Slot::rows(const at::Tensor& flat) const {
  return flat.narrow(1, begin, count);
}

Parameters::Parameters(torch::nn::Module& model) {
  const c10::AutoGradMode no_gradients(false);
  const auto named = model.named_parameters();
  std::int64_t width = 0;
  for (const auto& entry : named) {
    const std::int64_t count = entry.value().numel() / entry.value().size(0);
    slots_.push_back({entry.key(), entry.value(), {}, width, count});
    width += aligned(count);
  }
  const at::Tensor& first = slots_.front().value;
  values_ = at::zeros({first.size(0), width}, first.options().requires_grad(false));
  gradients_ = at::zeros_like(values_);
  for (Slot& slot : slots_) {
    const at::Tensor view = slot.rows(values_).view(slot.value.sizes());
    view.copy_(slot.value);
    slot.value.set_data(view);
    slot.gradient = slot.rows(gradients_).view(slot.value.sizes());
    slot.value.mutable_grad() = slot.gradient;
  }
}

}  // namespace layerlab::models
