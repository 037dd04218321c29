// The random numbers of NumPy's RandomState, for comparing with programs that use it. What we train
// draws from core/random.h instead.
#pragma once

#include <cstdint>
#include <random>

namespace layerlab::examples {

// numpy.random.RandomState(seed): MT19937 (Matsumoto & Nishimura 1998), two words a double of 53
// bits, and normal numbers by the polar method (Marsaglia & Bray 1964).
class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint32_t seed) : words_(seed) {}

  double uniform();  // random_sample(), [0, 1)
  double normal();   // randn()

 private:
  std::mt19937 words_;
  double spare_ = 0;  // the first of a pair, which NumPy hands out second
  bool has_spare_ = false;
};

}  // namespace layerlab::examples
