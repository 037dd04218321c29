#include "theory/depth.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "stats/slope.h"

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
  std::vector<double> depths, values;
  for (std::size_t i = 0; i < by_block.size(); ++i) {
    depths.push_back(std::log(static_cast<double>(i) + 1));
    values.push_back(std::log(by_block[i]));
  }
  return stats::least_squares_slope(depths, values);
}

}  // namespace layerlab::theory
