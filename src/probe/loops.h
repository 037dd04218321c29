// What the probe sums up of numbers in memory, in one pass each. Free of torch.
//
// Sums are of the numbers' own type within a row or so, in several lanes, and of doubles beyond.
// Where squares of floats would leave their range (values below 1e-15 or beyond 1e18), the sums are
// taken again in double. Lanes are the same on all x86-64 processors and products are not fused
// with sums, so that the bits depend on the numbers only.
#pragma once

#include <cstdint>

namespace layerlab::probe {

// x[token][stream][width] of one sequence.
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

// Rows of attention: logits s and weights p = softmax(s), both [rows][keys].
struct AttentionSums {
  double entropy = 0;  // over rows, of -sum p log p, in nats
  double max_logit = 0;
};
AttentionSums attention_sums(const float* logits, const float* weights, std::int64_t rows,
                             std::int64_t keys);
AttentionSums attention_sums(const double* logits, const double* weights, std::int64_t rows,
                             std::int64_t keys);

}  // namespace layerlab::probe
