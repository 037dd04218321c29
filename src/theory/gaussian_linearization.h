// Curves that act on each number by itself.
#pragma once

#include <optional>
#include <vector>

#include "equation/program.h"
#include "theory/gaussian.h"
#include "theory/value.h"

namespace layerlab::theory {

// The odd curve that the instruction is: tanh, or DyT's tanh(x / 2) at first. Nothing for others.
std::optional<Curve> odd_curve(const equation::Program& program,
                               const equation::Instruction& instruction);

// What an odd curve f makes of Gaussian x with the moments m: slope x, where slope = E f'(x), and a
// rest that is uncorrelated with x. Gradients pass by f' in the same two parts.
struct GaussianLinearization {
  double slope = 1;
  SecondMoments rest;        // of the value
  SecondMoments slope_rest;  // f' beyond its mean, which multiplies gradients
};
GaussianLinearization gaussian_linearization(const Curve& curve, const SecondMoments& m);

}  // namespace layerlab::theory
