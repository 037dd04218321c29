// Sums over numbers in memory, in one pass each: what the probe reports, and norms of gradients.
//   const double norm = std::sqrt(squares(gradient.data(), gradient.size()));
//
// A sum accumulates in the numbers' own type within a row, in several lanes, and in double across
// rows. Where squares of floats would leave their range (values below 1e-15 or beyond 1e18), it is
// taken again in double. Lanes are the same on all x86-64 processors and products are not fused
// with sums, so the bits depend on the numbers only.
#pragma once

#include <cstdint>

namespace layerlab::kernels {

// x[tokens][streams][width] of one sequence.
struct SequenceShape {
  std::int64_t tokens = 1, streams = 1, width = 1;

  std::int64_t size() const { return tokens * streams * width; }
};

struct SequenceSums {
  double sum = 0, squares = 0, max_abs = 0;
  double norms = 0;    // over tokens and streams, of a token's L2 norm
  double cosines = 0;  // over streams and ordered pairs of different tokens
};

// A token of zeros has a cosine of 0 with all others. Without `cosine` that sum stays 0. `max_abs`
// is NaN where a value is.
SequenceSums sequence_sums(const float* x, const SequenceShape& shape, bool cosine);
SequenceSums sequence_sums(const double* x, const SequenceShape& shape, bool cosine);

// The sum of squares of n numbers.
double squares(const float* x, std::int64_t n);
double squares(const double* x, std::int64_t n);

// The sums of squares of `before` and of `after` - `before`.
struct ChangeSums {
  double before = 0, change = 0;
};
ChangeSums change_sums(const float* before, const float* after, std::int64_t n);
ChangeSums change_sums(const double* before, const double* after, std::int64_t n);

// Of one sequence: logits s and weights p = softmax(s), both [heads][queries][keys].
struct AttentionShape {
  std::int64_t heads = 1, queries = 1, keys = 1;

  std::int64_t size() const { return heads * queries * keys; }
};

struct AttentionSums {
  double entropy = 0;    // over heads and queries, of -sum p log p, in nats
  double max_logit = 0;  // NaN where the entropy is
};

// Of the first `real` queries of each head; those behind are padding.
AttentionSums attention_sums(const float* logits, const float* weights, const AttentionShape& shape,
                             std::int64_t real);
AttentionSums attention_sums(const double* logits, const double* weights,
                             const AttentionShape& shape, std::int64_t real);
template <typename T>
AttentionSums attention_sums(const T* logits, const T* weights, const AttentionShape& shape) {
  return attention_sums(logits, weights, shape, shape.queries);
}

}  // namespace layerlab::kernels
