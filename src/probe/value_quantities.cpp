#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "models/host_loop.h"
#include "probe/lengths.h"
#include "probe/quantities.h"

namespace layerlab::probe {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

double mean_square(const ValueSums& sums) { return sums.squares / sums.numbers; }
double mean(const ValueSums& sums) { return sums.sum / sums.numbers; }

// The squared norm of the sum of a sequence's unit vectors holds every pair twice and every token
// once with itself.
at::Tensor token_cosine(const ValueTensors& value) {
  const std::int64_t T = value.x.size(2);
  if (!value.cosine || T < 2) return at::full_like(value.mean, kNoNumber);
  const double smallest = std::numeric_limits<float>::min();
  const at::Tensor unit = value.x / value.norms.clamp_min(smallest).unsqueeze(-1);
  const at::Tensor all = unit.sum(2).square().sum(-1);                            // [R, B, ...]
  const at::Tensor itself = (value.norms > smallest).to(value.x.dtype()).sum(2);  // [R, B, ...]
  const double pairs = static_cast<double>(T) * static_cast<double>(T - 1);
  if (!value.lengths.defined()) return ((all - itself) / pairs).flatten(1).mean(1);
  at::Tensor lengths = value.lengths;
  while (lengths.dim() < all.dim()) lengths = lengths.unsqueeze(-1);
  const at::Tensor several = (lengths > 1).expand_as(all).flatten(1);
  const at::Tensor of_sequences = (all - itself) / (lengths * (lengths - 1)).clamp_min(1);
  return (of_sequences.flatten(1) * several).sum(1) / several.sum(1);
}

ValueTensors tensors_of(const at::Tensor& value, bool cosine, const at::Tensor& lengths) {
  ValueTensors result;
  result.x = reductions::precise(value);
  result.cosine = cosine;
  const at::Tensor real = real_positions(lengths, result.x);
  if (real.defined()) {
    at::Tensor of_numbers = real;
    while (of_numbers.dim() < result.x.dim()) of_numbers = of_numbers.unsqueeze(-1);
    result.x = at::where(of_numbers, result.x, 0.0);
    result.share = real.to(result.x.dtype()).flatten(1).mean(1);
    result.lengths = lengths;
  }
  result.norms = at::linalg_vector_norm(result.x, 2, {-1});
  std::tie(result.var, result.mean) =
      at::var_mean(result.x.flatten(1), at::OptionalIntArrayRef({1}), 0);
  if (real.defined()) {  // the mean and the mean square were taken over zeros, too
    const at::Tensor square = (result.var + result.mean.square()) / result.share;
    result.mean = result.mean / result.share;
    result.var = (square - result.mean.square()).clamp_min(0);
  }
  return result;
}

// x[sequences of all replicas][tokens][streams][width].
struct Layout {
  std::int64_t replicas, sequences;
  kernels::SequenceShape sequence;

  explicit Layout(const at::Tensor& x)
      : replicas(x.size(0)), sequences(x.size(1)), sequence{x.size(2), 1, x.size(-1)} {
    for (std::int64_t i = 3; i < x.dim() - 1; ++i) sequence.streams *= x.size(i);
  }
};

// Of one replica, from those of its sequences, of which tokens[b] are real.
ValueSums sums_of(const kernels::SequenceSums* of_sequences, const std::int64_t* tokens,
                  const Layout& layout, bool cosine) {
  const auto [T, streams, width] = layout.sequence;
  const auto pairs = [](std::int64_t count) {
    return static_cast<double>(count) * static_cast<double>(count - 1);
  };
  ValueSums all;
  double cosines = 0, several = 0;  // over sequences of several tokens
  for (std::int64_t b = 0; b < layout.sequences; ++b) {
    const kernels::SequenceSums& one = of_sequences[b];
    all.sum += one.sum;
    all.squares += one.squares;
    all.norms += one.norms;
    all.tokens += static_cast<double>(tokens[b] * streams);
    if (tokens[b] > 1) {
      cosines += one.cosines * (pairs(T) / pairs(tokens[b]));
      several += static_cast<double>(streams);
    }
    const bool larger = !(one.max_abs <= all.max_abs);
    if (larger && !std::isnan(all.max_abs)) all.max_abs = one.max_abs;  // NaN comes and stays
  }
  all.numbers = all.tokens * static_cast<double>(width);
  all.cosine = cosine && several > 0 ? cosines / (several * pairs(T)) : kNoNumber;
  return all;
}

}  // namespace

const std::array<ValueQuantity, 6> kValueQuantities = {{
    {"rms", [](const ValueSums& sums) { return std::sqrt(mean_square(sums)); },
     [](const ValueTensors& value) {
       return value.mean_of(value.norms.square()).div(value.x.size(-1)).sqrt();
     }},
    {"token_norm", [](const ValueSums& sums) { return sums.norms / sums.tokens; },
     [](const ValueTensors& value) { return value.mean_of(value.norms); }},
    {"max_abs", [](const ValueSums& sums) { return sums.max_abs; },
     [](const ValueTensors& value) { return value.x.flatten(1).abs().amax(1); }},
    {"mean", [](const ValueSums& sums) { return mean(sums); },
     [](const ValueTensors& value) { return value.mean; }},
    {"var",
     [](const ValueSums& sums) {
       return std::max(0.0, mean_square(sums) - mean(sums) * mean(sums));
     },
     [](const ValueTensors& value) { return value.var; }},
    {"token_cosine", [](const ValueSums& sums) { return sums.cosine; }, &token_cosine},
}};

at::Tensor ValueTensors::mean_of(const at::Tensor& each) const {
  const at::Tensor over_all = each.flatten(1).mean(1);
  return share.defined() ? over_all / share : over_all;
}

at::Tensor reductions::value_quantities(const at::Tensor& x, bool cosine,
                                        const at::Tensor& lengths) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  const ValueTensors value = tensors_of(x, cosine, lengths);
  std::vector<at::Tensor> numbers;
  for (const ValueQuantity& quantity : kValueQuantities)
    numbers.push_back(quantity.by_torch(value));
  return at::stack(numbers, 1).to(at::kDouble);
}

at::Tensor value_quantities(const at::Tensor& value, bool cosine, const at::Tensor& lengths) {
  const at::Tensor x = value.dim() < 4 ? value.unsqueeze(-1) : value;
  if (!models::in_host_memory(x)) return reductions::value_quantities(x, cosine, lengths);
  const at::Tensor whole = x.contiguous();
  const Layout layout(whole);
  const std::vector<std::int64_t> tokens = real_tokens(lengths, whole);
  std::vector<kernels::SequenceSums> of_sequences(tokens.size());
  models::with_numbers(whole, [&](const auto* numbers) {
    const std::int64_t size = layout.sequence.size();
    models::for_each_index(std::ssize(tokens), size, [&](std::int64_t i) {
      kernels::SequenceShape real = layout.sequence;
      real.tokens = tokens[i];
      of_sequences[i] = kernels::sequence_sums(numbers + i * size, real, cosine);
    });
  });
  const at::Tensor result = at::empty({layout.replicas, std::ssize(kValueQuantities)}, at::kDouble);
  double* number = result.mutable_data_ptr<double>();
  for (std::int64_t r = 0; r < layout.replicas; ++r) {
    const std::int64_t first = r * layout.sequences;
    const ValueSums sums = sums_of(&of_sequences[first], &tokens[first], layout, cosine);
    for (const ValueQuantity& quantity : kValueQuantities) *number++ = quantity.by_sums(sums);
  }
  return result;
}

}  // namespace layerlab::probe
