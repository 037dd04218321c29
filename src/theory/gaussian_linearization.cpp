#include "theory/gaussian_linearization.h"

#include <cmath>

#include "theory/norm.h"

namespace layerlab::theory {

using equation::Op;

std::optional<Curve> odd_curve(const equation::Program& program,
                               const equation::Instruction& instruction) {
  const bool dyt = instruction.op == Op::kNorm && is_pointwise(program.norms[instruction.index]);
  if (!dyt && instruction.op != Op::kTanh) return std::nullopt;
  const double inner = dyt ? 0.5 : 1;
  return Curve{[inner](double u) { return std::tanh(inner * u); },
               [inner](double u) {
                 const double t = std::tanh(inner * u);
                 return inner * (1 - t * t);
               }};
}

GaussianLinearization gaussian_linearization(const Curve& curve, const SecondMoments& m) {
  const Transfer result = transfer(curve, m);
  const double deviation = std::sqrt(m.square);
  const double slope = gaussian_mean([&](double z) { return curve.slope(deviation * z); });
  return {slope, result.value + (-slope * slope) * m,
          result.slope + (-slope * slope) * SecondMoments{1, 1}};
}

}  // namespace layerlab::theory
