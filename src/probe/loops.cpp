#include "probe/loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

// On x86-64 with GCC every loop is compiled for AVX2 too, and the loader picks what the processor
// has.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LAYERLAB_WITH_AVX2 __attribute__((target_clones("avx2", "default")))
#else
#define LAYERLAB_WITH_AVX2
#endif
// Into each of them.
#define LAYERLAB_INLINE __attribute__((always_inline))

namespace layerlab::probe {
namespace {

constexpr std::int64_t kRowsOfASum = 64;  // in the numbers' own type

template <typename W>
struct Vector {
  typedef W Type __attribute__((vector_size(32)));
  static constexpr std::int64_t kLanes = 32 / sizeof(W);
};

template <typename W, typename T>
LAYERLAB_INLINE inline typename Vector<W>::Type load(const T* x) {
  typedef T In __attribute__((vector_size(Vector<W>::kLanes * sizeof(T))));
  In in;
  std::memcpy(&in, x, sizeof in);
  return __builtin_convertvector(in, typename Vector<W>::Type);
}

// Where fewer numbers are left than there are lanes, those and `filler`.
template <typename W, typename T>
LAYERLAB_INLINE inline typename Vector<W>::Type load(const T* x, std::int64_t left, T filler = 0) {
  if (left >= Vector<W>::kLanes) return load<W>(x);
  typename Vector<W>::Type result = typename Vector<W>::Type{} + static_cast<W>(filler);
  for (std::int64_t i = 0; i < left; ++i) result[i] = static_cast<W>(x[i]);
  return result;
}

// `combine` of all lanes, in halves: of vectors as long as there are some.
template <typename V, typename Combine>
LAYERLAB_INLINE inline auto reduce(const V& v, const Combine& combine) {
  using W = std::remove_cvref_t<decltype(v[0])>;
  if constexpr (sizeof v == 2 * sizeof(W)) {
    return combine(v[0], v[1]);
  } else {
    typedef W Half __attribute__((vector_size(sizeof v / 2)));
    Half low, high;
    std::memcpy(&low, &v, sizeof low);
    std::memcpy(&high, reinterpret_cast<const char*>(&v) + sizeof low, sizeof high);
    return reduce(Half(combine(low, high)), combine);
  }
}

template <typename V>
LAYERLAB_INLINE inline auto total(const V& v) {
  return reduce(v, [](const auto& a, const auto& b) LAYERLAB_INLINE { return a + b; });
}

template <typename V>
LAYERLAB_INLINE inline auto largest(const V& v) {
  return reduce(v, [](const auto& a, const auto& b) LAYERLAB_INLINE { return a > b ? a : b; });
}

template <typename V>
LAYERLAB_INLINE inline V larger(const V& a, const V& b) {
  return a > b ? a : b;
}

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
    const std::int64_t end = std::min(count, begin + kOfASum);
    V square[4] = {};
    for (std::int64_t i = begin; i < end; i += 4 * n) {
      for (int k = 0; k < 4; ++k) {
        const V v = load<W>(x + i + k * n, end - i - k * n);
        square[k] += v * v;
      }
    }
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
    const std::int64_t end = std::min(count, begin + kOfASum);
    V first[2] = {}, moved[2] = {};
    for (std::int64_t i = begin; i < end; i += 2 * n) {
      for (int k = 0; k < 2; ++k) {
        const V v = load<W>(before + i + k * n, end - i - k * n);
        const V by = load<W>(after + i + k * n, end - i - k * n) - v;
        first[k] += v * v;
        moved[k] += by * by;
      }
    }
    result.before += total(V(first[0] + first[1]));
    result.change += total(V(moved[0] + moved[1]));
  }
  return result;
}

// Two vectors at a time: such loops wait for their sums.
template <typename W, typename T>
LAYERLAB_INLINE inline SequenceSums sequence(const T* x, const SequenceShape& shape, bool cosine) {
  using V = typename Vector<W>::Type;
  constexpr std::int64_t n = Vector<W>::kLanes;
  const std::int64_t D = shape.width, rows = shape.tokens * shape.streams;
  thread_local std::vector<W> directions;  // of each stream, the sum of its tokens' unit vectors
  if (cosine) directions.assign(shape.streams * D, 0);

  SequenceSums result;
  double directed = 0;  // tokens that have a direction
  V sum[2] = {}, most[2] = {};
  for (std::int64_t row = 0; row < rows; ++row) {
    const T* const token = x + row * D;
    V square[2] = {};
    const auto take = [&](const V& v, int k) LAYERLAB_INLINE {
      sum[k] += v;
      square[k] += v * v;
      most[k] = larger<V>(v < 0 ? -v : v, most[k]);
    };
    std::int64_t i = 0;
    for (; i + 2 * n <= D; i += 2 * n) {
      take(load<W>(token + i), 0);
      take(load<W>(token + i + n), 1);
    }
    for (; i < D; i += n) take(load<W>(token + i, D - i), 0);
    const double squared_norm = total(V(square[0] + square[1])), norm = std::sqrt(squared_norm);
    result.squares += squared_norm;
    result.norms += norm;
    if (row % kRowsOfASum == kRowsOfASum - 1 || row == rows - 1) {
      result.sum += total(V(sum[0] + sum[1]));
      sum[0] = sum[1] = V{};
    }
    if (!cosine || !(norm > std::numeric_limits<float>::min())) continue;
    directed += 1;
    const W inverse = static_cast<W>(1 / norm);
    W* const direction = directions.data() + row % shape.streams * D;
    for (i = 0; i < D; ++i) direction[i] += static_cast<W>(token[i]) * inverse;
  }
  const bool number = !std::isnan(result.squares);
  result.max_abs = number ? largest(larger<V>(most[0], most[1])) : result.squares;
  if (cosine) {
    // The squared norm of the sum holds every pair twice and every token once with itself.
    result.cosines = squares_in<W>(directions.data(), shape.streams * D) - directed;
  }
  return result;
}

// -sum p log p is -log(max p) + sum p (max s - s): one logarithm a row, and those of many rows are
// one of a product. Keys that cannot be seen have p = 0 and s = -inf.
template <typename T>
LAYERLAB_INLINE inline AttentionSums attention(const T* logits, const T* weights, std::int64_t rows,
                                               std::int64_t keys) {
  using V = typename Vector<T>::Type;
  constexpr std::int64_t n = Vector<T>::kLanes;
  constexpr T kLowest = std::numeric_limits<T>::lowest();
  AttentionSums result;
  V most = V{} + kLowest, distance{};
  double product = 1;
  for (std::int64_t row = 0; row < rows; ++row) {
    const T *const s = logits + row * keys, *const p = weights + row * keys;
    V most_s = V{} + kLowest, most_p{};
    for (std::int64_t i = 0; i < keys; i += n) {
      most_s = larger<V>(load<T>(s + i, keys - i, kLowest), most_s);
      most_p = larger<V>(load<T>(p + i, keys - i), most_p);
    }
    const T top = largest(most_s);
    for (std::int64_t i = 0; i < keys; i += n) {
      const V below = top - load<T>(s + i, keys - i), weight = load<T>(p + i, keys - i);
      distance += weight * (below < -kLowest ? below : V{} - kLowest);
    }
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
                                                std::int64_t rows, std::int64_t keys) {
  return attention(logits, weights, rows, keys);
}
LAYERLAB_WITH_AVX2 AttentionSums attention_sums(const double* logits, const double* weights,
                                                std::int64_t rows, std::int64_t keys) {
  return attention(logits, weights, rows, keys);
}

}  // namespace layerlab::probe
