// What sums.cpp is written in: vectors of 32 bytes in the compiler's own notation, which makes
// them of smaller ones where a processor has no such. Always inlined, so that each is compiled for
// the processors that its caller is compiled for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#define LAYERLAB_INLINE __attribute__((always_inline))

namespace layerlab::kernels {

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

// Without signs.
template <typename V>
LAYERLAB_INLINE inline V magnitudes(const V& v) {
  using Bits = std::conditional_t<sizeof v[0] == 4, std::int32_t, std::int64_t>;
  typedef Bits OfBits __attribute__((vector_size(sizeof v)));
  return reinterpret_cast<V>(reinterpret_cast<OfBits>(v) & std::numeric_limits<Bits>::max());
}

// take(k, i, left) for i = 0, n, 2 n, ... below count, where n is the lanes and k goes round the
// sums 0 to kSums - 1, so that none waits for another. `left` is how many numbers are left from i
// on, or n where there are more. Unrolled: sums whose index is not a constant would live in memory.
template <int kSums, std::int64_t n, typename Take>
LAYERLAB_INLINE inline void in_vectors(std::int64_t count, const Take& take) {
  std::int64_t i = 0;
  for (; i + kSums * n <= count; i += kSums * n) {
#pragma GCC unroll 4
    for (int k = 0; k < kSums; ++k) take(k, i + k * n, n);
  }
#pragma GCC unroll 4
  for (int k = 0; k < kSums; ++k, i += n) {
    if (i < count) take(k, i, count - i);
  }
}

}  // namespace layerlab::kernels
