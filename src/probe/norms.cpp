#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <cmath>

#include "models/host_loop.h"
#include "probe/quantities.h"

namespace layerlab::probe {

at::Tensor reductions::precise(const at::Tensor& x) {
  return x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x;
}

at::Tensor reductions::total_norm(const at::Tensor& x) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  return at::linalg_vector_norm(precise(x).flatten(1), 2, {1}, /*keepdim=*/true).to(at::kDouble);
}

at::Tensor total_norm(const at::Tensor& x) {
  if (!models::in_host_memory(x)) return reductions::total_norm(x);
  const at::Tensor whole = x.contiguous();
  const std::int64_t R = whole.size(0), size = whole.numel() / R;
  const at::Tensor result = at::empty({R, 1}, at::kDouble);
  double* norms = result.mutable_data_ptr<double>();
  models::with_numbers(whole, [&](const auto* numbers) {
    models::for_each_index(R, size, [&](std::int64_t r) {
      norms[r] = std::sqrt(kernels::squares(numbers + r * size, size));
    });
  });
  return result;
}

ChangeNorms change_norms(const at::Tensor& before, const at::Tensor& after,
                         const models::Parameters::Group& group) {
  if (!models::in_host_memory(before)) {
    return {models::slot_norms(before, group), models::slot_norms(after - before, group)};
  }
  const std::int64_t R = before.size(0), S = std::ssize(group.slots);
  const ChangeNorms result{at::empty({R, S}, at::kDouble), at::empty({R, S}, at::kDouble)};
  double* first = result.before.mutable_data_ptr<double>();
  double* change = result.change.mutable_data_ptr<double>();
  models::with_numbers(before, [&](const auto* numbers) {
    using T = std::remove_cvref_t<decltype(*numbers)>;
    const T* now = after.const_data_ptr<T>();
    models::for_each_slot(
        R, group, [&](std::int64_t i, std::int64_t r, const models::Parameters::Slot& slot) {
          const std::int64_t begin = slot.begin - group.begin;
          const kernels::ChangeSums sums =
              kernels::change_sums(numbers + r * before.stride(0) + begin,
                                   now + r * after.stride(0) + begin, slot.count);
          first[i] = std::sqrt(sums.before);
          change[i] = std::sqrt(sums.change);
        });
  });
  return result;
}

}  // namespace layerlab::probe
