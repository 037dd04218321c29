#include "models/parameters.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <optional>

#include "kernels/sums.h"
#include "models/host_loop.h"

namespace layerlab::models {
namespace {

// Parameters begin at multiples of 64 bytes of float32, as if each were allocated by itself.
constexpr std::int64_t kAlignment = 16;

std::int64_t aligned(std::int64_t count) {
  return (count + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

at::Tensor Parameters::Slot::part(const at::Tensor& flat) const {
  return flat.narrow(1, begin, count).view(value.sizes());
}

at::Tensor Parameters::Group::part(const at::Tensor& flat) const {
  return flat.narrow(1, begin, count);
}

Parameters::Parameters(torch::nn::Module& model) {
  const c10::AutoGradMode no_gradients(false);
  std::int64_t width = 0;
  for (const auto& entry : model.named_parameters()) {
    const std::int64_t count = entry.value().numel() / entry.value().size(0);
    slots_.push_back({entry.key(), entry.value(), width, count});
    width += aligned(count);
  }
  const at::Tensor& first = slots_.front().value;
  values_ = at::zeros({first.size(0), width}, first.options().requires_grad(false));
  gradients_ = at::zeros_like(values_);
  for (Slot& slot : slots_) {
    const at::Tensor view = slot.part(values_);
    view.copy_(slot.value);
    slot.value.set_data(view);
  }
}

std::vector<Parameters::Group> Parameters::groups(std::int64_t most) const {
  std::vector<Group> groups;
  const Slot* const all = slots_.data();
  for (std::size_t first = 0, next = 1; next <= slots_.size(); ++next) {
    const std::int64_t begin = slots_[first].begin;
    const bool last = next == slots_.size();
    if (!last && slots_[next].begin + slots_[next].count - begin <= most) continue;
    const std::int64_t end = last ? values_.size(1) : slots_[next].begin;
    groups.push_back({{all + first, all + next}, begin, end - begin});
    first = next;
  }
  return groups;
}

std::vector<Parameters::Group> Parameters::groups_in_cache() const {
  constexpr std::int64_t kInCache = 1 << 16;
  return groups(values_.is_cpu() ? kInCache : values_.size(1));
}

void Parameters::backward(const at::Tensor& loss, bool add) {
  // Not loss.backward(): it would add into .grad, after a pass that zeroes it.
  std::vector<at::Tensor> values;
  for (const Slot& slot : slots_) values.push_back(slot.value);
  const auto gradients = torch::autograd::grad({loss}, values, {}, std::nullopt,
                                               /*create_graph=*/false, /*allow_unused=*/true);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const at::Tensor part = slots_[i].part(gradients_);
    if (!gradients[i].defined()) {
      if (!add) part.zero_();
    } else if (add) {
      part.add_(gradients[i]);
    } else {
      part.copy_(gradients[i]);
    }
  }
}

at::Tensor slot_norms(const at::Tensor& part, const Parameters::Group& group) {
  const std::int64_t R = part.size(0), S = std::ssize(group.slots);
  if (!in_host_memory(part)) {
    std::vector<at::Tensor> parts;
    for (std::int64_t r = 0; r < R; ++r) {
      for (const Parameters::Slot& slot : group.slots) {
        parts.push_back(part[r].narrow(0, slot.begin - group.begin, slot.count));
      }
    }
    return at::stack(at::_foreach_norm(parts)).view({R, S}).to(at::kDouble);
  }
  const at::Tensor result = at::empty({R, S}, at::kDouble);
  double* norms = result.mutable_data_ptr<double>();
  with_numbers(part, [&](const auto* numbers) {
    for_each_slot(R, group, [&](std::int64_t i, std::int64_t r, const Parameters::Slot& slot) {
      const auto* begin = numbers + r * part.stride(0) + slot.begin - group.begin;
      norms[i] = std::sqrt(kernels::squares(begin, slot.count));
    });
  });
  return result;
}

}  // namespace layerlab::models
