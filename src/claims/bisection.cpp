#include "claims/bisection.h"

#include <bit>

namespace layerlab::claims {

Bisection bisect(std::size_t count, const std::function<Trial(std::size_t)>& known) {
  std::size_t passing = 0, failing = count + 1;  // counted from 1, as if 0 passed
  while (failing - passing > 1) {
    const std::size_t middle = passing + (failing - passing) / 2;
    switch (known(middle - 1)) {
      case Trial::kUnknown:
        return {middle - 1, std::nullopt};
      case Trial::kFails:
        failing = middle;
        break;
      case Trial::kPasses:
        passing = middle;
        break;
    }
  }
  if (passing == 0) return {};
  return {std::nullopt, passing - 1};
}

int most_rounds(std::size_t count) { return static_cast<int>(std::bit_width(count)); }

}  // namespace layerlab::claims
