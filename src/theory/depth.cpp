#include "theory/depth.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace layerlab::theory {

std::vector<int> block_outputs(const equation::Program& program) {
  std::vector<int> result;
  for (std::size_t i = 0; i < program.taps.size(); ++i) {
    for (const equation::Site& site : program.taps[i].sites) {
      if (site.layer < 0 || site.role != "out") continue;
      // Later sub-layers of the same block come later.
      result.resize(std::max(result.size(), static_cast<std::size_t>(site.layer) + 1));
      result[site.layer] = static_cast<int>(i);
    }
  }
  return result;
}

double growth_exponent(std::span<const double> by_block) {
  assert(by_block.size() >= 2);
  const auto n = static_cast<double>(by_block.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < by_block.size(); ++i) {
    const double depth = std::log(static_cast<double>(i) + 1), value = std::log(by_block[i]);
    x += depth;
    y += value;
    xx += depth * depth;
    xy += depth * value;
  }
  return (xy - x * y / n) / (xx - x * x / n);
}

}  // namespace layerlab::theory
