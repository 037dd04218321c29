#include "theory/gaussian_linearization.h"

#include <cmath>

namespace layerlab::theory {

GaussianLinearization gaussian_linearization(const Curve& curve, const SecondMoments& m) {
  const Transfer result = transfer(curve, m);
  const double deviation = std::sqrt(m.square);
  const double slope = gaussian_mean([&](double z) { return curve.slope(deviation * z); });
  return {slope, result.value + (-slope * slope) * m,
          result.slope + (-slope * slope) * SecondMoments{1, 1}};
}

}  // namespace layerlab::theory
