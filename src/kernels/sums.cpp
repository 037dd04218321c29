#include "kernels/sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/vectors.h"

// On x86-64 with GCC every loop is compiled for AVX2 too, and the loader picks what the processor
// has.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LAYERLAB_WITH_AVX2 __attribute__((target_clones("avx2", "default")))
#else
#define LAYERLAB_WITH_AVX2
#endif

namespace layerlab::kernels {
namespace {

constexpr std::int64_t kRowsOfASum = 64;  // in the numbers' own type

// Whether the sum of n squares has lost nothing to the limits of float. Zeros look like a loss.
bool within_range(double squares, std::int64_t n) {
  return squares >= 1e-30 * static_cast<double>(n) && squares < 1e38;
}

template <typename W, typename T>
LAYERLAB_INLINE inline double squares_in(const T* x, std::int64_t count) {
  using V = typename Vector<W>::Type;
  constexpr std::int64_t n = Vector<W>::kLanes, kOfASum = 64 * 4 * n;
  double result = 0;
  for (std::int64_t begin = 0; begin < count; begin += kOfASum) {
    V square[4] = {};
    const auto take = [&](int k, std::int64_t i, std::int64_t left) LAYERLAB_INLINE {
      const V v = load<W>(x + begin + i, left);
      square[k] += v * v;
    };
    in_vectors<4, n>(std::min(count - begin, kOfASum), take);
    result += total(V((square[0] + square[1]) + (square[2] + square[3])));
  }
  return result;
}

template <typename W, typename T>
LAYERLAB_INLINE inline ChangeSums change(const T* before, const T* after, std::int64_t count) {
  using V = typename Vector<W>::Type;
  constexpr std::int64_t n = Vector<W>::kLanes, kOfASum = 64 * 2 * n;
  ChangeSums result;
  for (std::int64_t begin = 0; begin < count; begin += kOfASum) {
    V first[2] = {}, moved[2] = {};
    const auto take = [&](int k, std::int64_t i, std::int64_t left) LAYERLAB_INLINE {
      const V v = load<W>(before + begin + i, left);
      const V by = load<W>(after + begin + i, left) - v;
      first[k] += v * v;
      moved[k] += by * by;
    };
    in_vectors<2, n>(std::min(count - begin, kOfASum), take);
    result.before += total(V(first[0] + first[1]));
    result.change += total(V(moved[0] + moved[1]));
  }
  return result;
}

// The squared norm of a sequence's sum of `scales`[token][stream] x[token][stream], over streams.
template <typename W, typename T>
LAYERLAB_INLINE inline double squared_sum(const T* x, const W* scales, const SequenceShape& shape) {
  using V = typename Vector<W>::Type;
  const std::int64_t D = shape.width, rows = shape.tokens * shape.streams;
  V square[2] = {};
  for (std::int64_t stream = 0; stream < shape.streams; ++stream) {
    const auto take = [&](int k, std::int64_t i, std::int64_t left) LAYERLAB_INLINE {
      V sum{};
      for (std::int64_t row = stream; row < rows; row += shape.streams) {
        sum += load<W>(x + row * D + i, left) * scales[row];
      }
      square[k] += sum * sum;
    };
    in_vectors<2, Vector<W>::kLanes>(D, take);
  }
  return total(V(square[0] + square[1]));
}

template <typename W, typename T>
LAYERLAB_INLINE inline SequenceSums sequence(const T* x, const SequenceShape& shape, bool cosine) {
  using V = typename Vector<W>::Type;
  const std::int64_t D = shape.width, rows = shape.tokens * shape.streams;
  thread_local std::vector<W> to_unit;  // what makes a token a unit vector; 0 for one of zeros
  to_unit.resize(rows);

  SequenceSums result;
  V sum[2] = {}, most[2] = {};
  for (std::int64_t row = 0; row < rows; ++row) {
    V square[2] = {};
    const auto take = [&](int k, std::int64_t i, std::int64_t left) LAYERLAB_INLINE {
      const V v = load<W>(x + row * D + i, left);
      sum[k] += v;
      square[k] += v * v;
      most[k] = larger<V>(magnitudes(v), most[k]);
    };
    in_vectors<2, Vector<W>::kLanes>(D, take);
    const W squared_norm = total(V(square[0] + square[1])), norm = std::sqrt(squared_norm);
    to_unit[row] = norm > std::numeric_limits<float>::min() ? 1 / norm : 0;
    result.squares += squared_norm;
    result.norms += norm;
    if (row % kRowsOfASum == kRowsOfASum - 1 || row == rows - 1) {
      result.sum += total(V(sum[0] + sum[1]));
      sum[0] = sum[1] = V{};
    }
  }
  const bool number = !std::isnan(result.squares);
  result.max_abs = number ? largest(larger<V>(most[0], most[1])) : result.squares;
  if (cosine) {
    // It holds every pair twice and every token once with itself.
    const auto directed = rows - std::count(to_unit.begin(), to_unit.end(), W{0});
    result.cosines = squared_sum<W>(x, to_unit.data(), shape) - static_cast<double>(directed);
  }
  return result;
}

// -sum p log p is -log(max p) + sum p (max s - s): one logarithm a row, and those of many rows are
// one of a product. Keys that cannot be seen have p = 0 and s = -inf.
template <typename T>
LAYERLAB_INLINE inline AttentionSums attention(const T* logits, const T* weights,
                                               const AttentionShape& shape, std::int64_t real) {
  using V = typename Vector<T>::Type;
  constexpr std::int64_t n = Vector<T>::kLanes;
  constexpr T kLowest = std::numeric_limits<T>::lowest();
  const std::int64_t keys = shape.keys, rows = shape.heads * real, padded = shape.queries - real;
  AttentionSums result;
  V most = V{} + kLowest, distance{};
  double product = 1;
  const T *s = logits, *p = weights;
  std::int64_t query = 0;
  for (std::int64_t row = 0; row < rows; ++row, s += keys, p += keys) {
    if (query++ == real) {  // on to the next head
      s += padded * keys;
      p += padded * keys;
      query = 1;
    }
    V most_s = V{} + kLowest, most_p{};
    in_vectors<1, n>(keys, [&](int, std::int64_t i, std::int64_t left) LAYERLAB_INLINE {
      most_s = larger<V>(load<T>(s + i, left, kLowest), most_s);
      most_p = larger<V>(load<T>(p + i, left), most_p);
    });
    const T top = largest(most_s);
    in_vectors<1, n>(keys, [&](int, std::int64_t i, std::int64_t left) LAYERLAB_INLINE {
      const V above = load<T>(s + i, left) - top;
      distance -= load<T>(p + i, left) * larger<V>(above, V{} + kLowest);
    });
    most = larger<V>(most_s, most);
    if (row % kRowsOfASum == kRowsOfASum - 1 || row == rows - 1) {
      result.entropy += total(distance);
      distance = V{};
    }
    product *= largest(most_p);
    if (product < 1e-250) {
      result.entropy -= std::log(product);
      product = 1;
    }
  }
  result.entropy -= std::log(product);
  result.max_logit = std::isnan(result.entropy) ? result.entropy : largest(most);
  return result;
}

}  // namespace

LAYERLAB_WITH_AVX2 SequenceSums sequence_sums(const float* x, const SequenceShape& shape,
                                              bool cosine) {
  const SequenceSums result = sequence<float>(x, shape, cosine);
  return within_range(result.squares, shape.size()) ? result : sequence<double>(x, shape, cosine);
}
LAYERLAB_WITH_AVX2 SequenceSums sequence_sums(const double* x, const SequenceShape& shape,
                                              bool cosine) {
  return sequence<double>(x, shape, cosine);
}

LAYERLAB_WITH_AVX2 double squares(const float* x, std::int64_t n) {
  const double result = squares_in<float>(x, n);
  return within_range(result, n) ? result : squares_in<double>(x, n);
}
LAYERLAB_WITH_AVX2 double squares(const double* x, std::int64_t n) {
  return squares_in<double>(x, n);
}

LAYERLAB_WITH_AVX2 ChangeSums change_sums(const float* before, const float* after, std::int64_t n) {
  const ChangeSums result = change<float>(before, after, n);
  const bool exact = within_range(result.before, n) && within_range(result.change, n);
  return exact ? result : change<double>(before, after, n);
}
LAYERLAB_WITH_AVX2 ChangeSums change_sums(const double* before, const double* after,
                                          std::int64_t n) {
  return change<double>(before, after, n);
}

LAYERLAB_WITH_AVX2 AttentionSums attention_sums(const float* logits, const float* weights,
                                                const AttentionShape& shape, std::int64_t real) {
  return attention(logits, weights, shape, real);
}
LAYERLAB_WITH_AVX2 AttentionSums attention_sums(const double* logits, const double* weights,
                                                const AttentionShape& shape, std::int64_t real) {
  return attention(logits, weights, shape, real);
}

}  // namespace layerlab::kernels
