#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "models/host_loop.h"
#include "probe/lengths.h"
#include "probe/quantities.h"

namespace layerlab::probe {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

at::Tensor entropy(const AttentionTensors& attention) {
  const at::Tensor each = at::special_entr(attention.weights).sum(-1);  // [R, B, H, T]
  if (!attention.real.defined()) return each.flatten(1).mean(1);
  const at::Tensor real = attention.real.expand_as(each);
  return at::where(real, each, 0.0).flatten(1).sum(1) / real.flatten(1).sum(1);
}

at::Tensor max_logit(const AttentionTensors& attention) {
  at::Tensor logits = attention.logits;
  if (attention.real.defined()) {
    logits = at::where(attention.real.unsqueeze(-1), logits, -kInfinity);
  }
  return logits.flatten(1).amax(1);
}

}  // namespace

const std::array<AttentionQuantity, 2> kAttentionQuantities = {{
    {"entropy", [](const kernels::AttentionSums& sums, double rows) { return sums.entropy / rows; },
     &entropy},
    {"max_logit", [](const kernels::AttentionSums& sums, double) { return sums.max_logit; },
     &max_logit},
}};

at::Tensor reductions::attention_quantities(const at::Tensor& logits, const at::Tensor& weights,
                                            const at::Tensor& lengths) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  AttentionTensors attention{precise(logits), precise(weights), {}};
  const at::Tensor real = real_positions(lengths, weights.transpose(2, 3));
  if (real.defined()) attention.real = real.unsqueeze(2);
  std::vector<at::Tensor> numbers;
  for (const auto& quantity : kAttentionQuantities) numbers.push_back(quantity.by_torch(attention));
  return at::stack(numbers, 1).to(at::kDouble);
}

at::Tensor attention_quantities(const at::Tensor& logits, const at::Tensor& weights,
                                const at::Tensor& lengths) {
  if (!models::in_host_memory(logits)) {
    return reductions::attention_quantities(logits, weights, lengths);
  }
  const at::Tensor s = logits.contiguous(), p = weights.contiguous();
  const std::int64_t R = s.size(0), B = s.size(1);
  const kernels::AttentionShape shape{s.size(2), s.size(3), s.size(4)};
  const std::vector<std::int64_t> queries = real_tokens(lengths, s.transpose(2, 3));
  std::vector<kernels::AttentionSums> of_sequences(R * B);
  models::with_numbers(s, [&](const auto* numbers) {
    using T = std::remove_cvref_t<decltype(*numbers)>;
    const T* of_weights = p.const_data_ptr<T>();
    models::for_each_index(R * B, shape.size(), [&](std::int64_t i) {
      const std::int64_t begin = i * shape.size();
      of_sequences[i] =
          kernels::attention_sums(numbers + begin, of_weights + begin, shape, queries[i]);
    });
  });
  const at::Tensor result = at::empty({R, std::ssize(kAttentionQuantities)}, at::kDouble);
  double* number = result.mutable_data_ptr<double>();
  for (std::int64_t r = 0; r < R; ++r) {
    kernels::AttentionSums all{0, -kInfinity};
    double rows = 0;
    for (std::int64_t i = r * B; i < (r + 1) * B; ++i) {
      all.entropy += of_sequences[i].entropy;
      all.max_logit = std::max(all.max_logit, of_sequences[i].max_logit);
      rows += static_cast<double>(shape.heads * queries[i]);
    }
    if (std::isnan(all.entropy)) all.max_logit = all.entropy;
    for (const auto& quantity : kAttentionQuantities) *number++ = quantity.by_sums(all, rows);
  }
  return result;
}

}  // namespace layerlab::probe
