// Loops over the numbers of tensors in host memory, spread over threads.
//   if (in_host_memory(x)) with_numbers(x, [&](const auto* numbers) {
//     for_each_index(rows, size, [&](std::int64_t i) { sums[i] = squares(numbers + i * size, size);
//     });
//   });
#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdint>

#include "models/parameters.h"

namespace layerlab::models {

inline bool in_host_memory(const at::Tensor& x) {
  const at::ScalarType type = x.scalar_type();
  return x.device().is_cpu() && (type == at::kFloat || type == at::kDouble);
}

// Calls use(pointer of x's type) for the numbers of a contiguous tensor.
template <typename Use>
void with_numbers(const at::Tensor& x, const Use& use) {
  if (x.scalar_type() == at::kDouble) {
    use(x.const_data_ptr<double>());
  } else {
    use(x.const_data_ptr<float>());
  }
}

// While it lives, this thread takes denormal numbers for zero; afterwards as before. The square of
// a float below 1e-19, as most second moments are, would take a hundred cycles; as zero it leaves
// the same sum, or one so small that kernels/sums.h takes it again in double.
class FlushDenormals {
 public:
  FlushDenormals() : before_(flushes()) { set(true); }
  ~FlushDenormals() { set(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  static bool flushes() {  // torch sets the flag but cannot tell it
    const volatile float denormal = 1e-39F;
    return denormal * 1.0F == 0;
  }
  static void set(bool flush) { at::globalContext().setFlushDenormal(flush); }

  bool before_;
};

// Calls fill(index) for 0 <= index < count; each takes `size` numbers.
template <typename Fill>
void for_each_index(std::int64_t count, std::int64_t size, const Fill& fill) {
  constexpr std::int64_t kGrain = 1 << 15;  // numbers that a thread takes at least
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, size));
  at::parallel_for(0, count, grain, [&](std::int64_t begin, std::int64_t end) {
    const FlushDenormals flush;
    for (std::int64_t i = begin; i < end; ++i) fill(i);
  });
}

// Calls fill(index into [R, slots], replica, slot) for each.
template <typename Fill>
void for_each_slot(std::int64_t replicas, const Parameters::Group& group, const Fill& fill) {
  const std::int64_t S = std::ssize(group.slots);
  for_each_index(replicas * S, group.count / S, [&](std::int64_t i) {
    fill(i, i / S, group.slots[static_cast<std::size_t>(i % S)]);
  });
}

}  // namespace layerlab::models
