#include "claims/bisection.h"

#include <bit>

namespace layerlab::claims {

Bisection bisect(std::size_t rungs, const std::function<Rung(std::size_t)>& known) {
  std::size_t passing = 0, failing = rungs + 1;  // counted from 1, as if 0 passed
  while (failing - passing > 1) {
    const std::size_t middle = passing + (failing - passing) / 2;
    switch (known(middle - 1)) {
      case Rung::kUnknown:
        return {middle - 1, std::nullopt};
      case Rung::kFails:
        failing = middle;
        break;
      case Rung::kPasses:
        passing = middle;
        break;
    }
  }
  if (passing == 0) return {};
  return {std::nullopt, passing - 1};
}

int most_rounds(std::size_t rungs) { return static_cast<int>(std::bit_width(rungs)); }

}  // namespace layerlab::claims
