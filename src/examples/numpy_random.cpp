#include "examples/numpy_random.h"

#include <cmath>

namespace layerlab::examples {

double NumpyRandom::uniform() {
  const std::uint32_t high = words_() >> 5, low = words_() >> 6;  // 27 and 26 bits
  return (high * 0x1p26 + low) * 0x1p-53;
}

double NumpyRandom::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double x, y, square;
  do {
    x = 2 * uniform() - 1;
    y = 2 * uniform() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const double factor = std::sqrt(-2 * std::log(square) / square);
  spare_ = factor * x;
  has_spare_ = true;
  return factor * y;
}

}  // namespace layerlab::examples
