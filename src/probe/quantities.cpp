#include "probe/quantities.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "probe/loops.h"
#include "probe/reductions.h"

namespace layerlab::probe {
namespace {

// Numbers that a thread takes at least.
constexpr std::int64_t kGrain = 1 << 15;

bool in_host_memory(const at::Tensor& x) {
  const at::ScalarType type = x.scalar_type();
  return x.device().is_cpu() && (type == at::kFloat || type == at::kDouble);
}

// The square of a float below 1e-19, as most second moments are, would take a hundred cycles. Taken
// for zero it leaves the same sum, or one so small that loops.h takes it again in double.
struct FlushDenormals {
  FlushDenormals() { at::globalContext().setFlushDenormal(true); }
  ~FlushDenormals() { at::globalContext().setFlushDenormal(false); }
};

// fill(index) for 0 <= index < count, spread over threads; each is of `size` numbers.
template <typename Fill>
void for_each_index(std::int64_t count, std::int64_t size, const Fill& fill) {
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, size));
  at::parallel_for(0, count, grain, [&](std::int64_t begin, std::int64_t end) {
    const FlushDenormals flush;
    for (std::int64_t i = begin; i < end; ++i) fill(i);
  });
}

// use(pointer of x's type) for the numbers of a contiguous tensor.
template <typename Use>
void with_numbers(const at::Tensor& x, const Use& use) {
  if (x.scalar_type() == at::kDouble) {
    use(x.const_data_ptr<double>());
  } else {
    use(x.const_data_ptr<float>());
  }
}

at::Tensor doubles(std::int64_t rows, std::int64_t columns) {
  return at::empty({rows, columns}, at::kDouble);
}

struct Layout {
  std::int64_t replicas, sequences;
  SequenceShape sequence;
};

Layout layout_of(const at::Tensor& x) {
  Layout layout{x.size(0), x.size(1), {x.size(2), 1, x.size(-1)}};
  for (std::int64_t i = 3; i < x.dim() - 1; ++i) layout.sequence.streams *= x.size(i);
  return layout;
}

void write_row(const SequenceSums* of_sequences, const Layout& layout, bool cosine, double* row) {
  SequenceSums all;
  for (std::int64_t b = 0; b < layout.sequences; ++b) {
    const SequenceSums& one = of_sequences[b];
    all.sum += one.sum;
    all.squares += one.squares;
    all.norms += one.norms;
    all.cosines += one.cosines;
    all.max_abs = one.max_abs <= all.max_abs ? all.max_abs : one.max_abs;  // NaN stays
    if (std::isnan(all.max_abs)) break;
  }
  const auto [tokens, streams, width] = layout.sequence;
  const double groups = static_cast<double>(layout.sequences * streams);  // of tokens
  const double T = static_cast<double>(tokens), count = groups * T * static_cast<double>(width);
  const double mean = all.sum / count, square = all.squares / count;
  row[0] = std::sqrt(square);
  row[1] = all.norms / (groups * T);
  row[2] = all.max_abs;
  row[3] = mean;
  row[4] = std::max(0.0, square - mean * mean);
  row[5] = cosine && tokens > 1 ? all.cosines / (groups * T * (T - 1))
                                : std::numeric_limits<double>::quiet_NaN();
}

// fill(index into [R, slots], replica, where the slot begins in the group, its size) for each.
template <typename Fill>
void for_each_slot(std::int64_t replicas, const models::Parameters::Group& group,
                   const Fill& fill) {
  const std::int64_t S = std::ssize(group.slots);
  for_each_index(replicas * S, group.count / S, [&](std::int64_t i) {
    const models::Parameters::Slot& slot = group.slots[i % S];
    fill(i, i / S, slot.begin - group.begin, slot.count);
  });
}

}  // namespace

at::Tensor value_quantities(const at::Tensor& value, bool cosine) {
  const at::Tensor x = value.dim() < 4 ? value.unsqueeze(-1) : value;
  if (!in_host_memory(x)) return reductions::value_quantities(x, cosine);
  const at::Tensor whole = x.contiguous();
  const Layout layout = layout_of(whole);
  std::vector<SequenceSums> of_sequences(layout.replicas * layout.sequences);
  with_numbers(whole, [&](const auto* numbers) {
    const std::int64_t size = layout.sequence.size();
    for_each_index(static_cast<std::int64_t>(of_sequences.size()), size, [&](std::int64_t i) {
      of_sequences[i] = sequence_sums(numbers + i * size, layout.sequence, cosine);
    });
  });
  const at::Tensor result = doubles(layout.replicas, kValueQuantities.size());
  double* rows = result.mutable_data_ptr<double>();
  for (std::int64_t r = 0; r < layout.replicas; ++r) {
    write_row(&of_sequences[r * layout.sequences], layout, cosine,
              rows + r * std::ssize(kValueQuantities));
  }
  return result;
}

at::Tensor total_norm(const at::Tensor& x) {
  if (!in_host_memory(x)) return reductions::total_norm(x);
  const at::Tensor whole = x.contiguous();
  const std::int64_t R = whole.size(0), size = whole.numel() / R;
  const at::Tensor result = doubles(R, 1);
  double* norms = result.mutable_data_ptr<double>();
  with_numbers(whole, [&](const auto* numbers) {
    for_each_index(
        R, size, [&](std::int64_t r) { norms[r] = std::sqrt(squares(numbers + r * size, size)); });
  });
  return result;
}

at::Tensor slot_norms(const at::Tensor& part, const models::Parameters::Group& group) {
  if (!in_host_memory(part)) return reductions::slot_norms(part, group);
  const std::int64_t R = part.size(0), row = part.stride(0);
  const at::Tensor result = doubles(R, std::ssize(group.slots));
  double* norms = result.mutable_data_ptr<double>();
  with_numbers(part, [&](const auto* numbers) {
    for_each_slot(R, group,
                  [&](std::int64_t i, std::int64_t r, std::int64_t begin, std::int64_t n) {
                    norms[i] = std::sqrt(squares(numbers + r * row + begin, n));
                  });
  });
  return result;
}

ChangeNorms change_norms(const at::Tensor& before, const at::Tensor& after,
                         const models::Parameters::Group& group) {
  if (!in_host_memory(before)) {
    return {reductions::slot_norms(before, group), reductions::slot_norms(after - before, group)};
  }
  const std::int64_t R = before.size(0), row = before.stride(0), row_after = after.stride(0);
  const ChangeNorms result{doubles(R, std::ssize(group.slots)),
                           doubles(R, std::ssize(group.slots))};
  double* first = result.before.mutable_data_ptr<double>();
  double* change = result.change.mutable_data_ptr<double>();
  with_numbers(before, [&](const auto* numbers) {
    using T = std::remove_cvref_t<decltype(*numbers)>;
    const T* now = after.const_data_ptr<T>();
    for_each_slot(R, group,
                  [&](std::int64_t i, std::int64_t r, std::int64_t begin, std::int64_t n) {
                    const ChangeSums sums =
                        change_sums(numbers + r * row + begin, now + r * row_after + begin, n);
                    first[i] = std::sqrt(sums.before);
                    change[i] = std::sqrt(sums.change);
                  });
  });
  return result;
}

at::Tensor attention_quantities(const at::Tensor& logits, const at::Tensor& weights) {
  if (!in_host_memory(logits)) return reductions::attention_quantities(logits, weights);
  const at::Tensor s = logits.contiguous(), p = weights.contiguous();
  const std::int64_t R = s.size(0), B = s.size(1), keys = s.size(-1);
  const std::int64_t rows = s.numel() / (R * B * keys);
  std::vector<AttentionSums> of_sequences(R * B);
  with_numbers(s, [&](const auto* numbers) {
    using T = std::remove_cvref_t<decltype(*numbers)>;
    const T* of_weights = p.const_data_ptr<T>();
    for_each_index(R * B, rows * keys, [&](std::int64_t i) {
      const std::int64_t begin = i * rows * keys;
      of_sequences[i] = attention_sums(numbers + begin, of_weights + begin, rows, keys);
    });
  });
  const at::Tensor result = doubles(R, kAttentionQuantities.size());
  double* row = result.mutable_data_ptr<double>();
  for (std::int64_t r = 0; r < R; ++r, row += kAttentionQuantities.size()) {
    row[0] = 0;
    row[1] = -std::numeric_limits<double>::infinity();
    for (std::int64_t b = 0; b < B; ++b) {
      row[0] += of_sequences[r * B + b].entropy;
      row[1] = std::max(row[1], of_sequences[r * B + b].max_logit);
    }
    row[0] /= static_cast<double>(B * rows);
    if (std::isnan(row[0])) row[1] = row[0];
  }
  return result;
}

}  // namespace layerlab::probe
