// Curves on each number by itself, as a slope and a rest.
#pragma once

#include "theory/gaussian.h"

namespace layerlab::theory {

// An odd curve f of a Gaussian x with the moments m is slope x plus a rest that is uncorrelated
// with x, where slope = E f'(x). Gradients pass by f' in the same two parts.
struct GaussianLinearization {
  double slope = 1;
  SecondMoments rest;        // of the value
  SecondMoments slope_rest;  // f' beyond its mean, which multiplies gradients
};
GaussianLinearization gaussian_linearization(const Curve& curve, const SecondMoments& m);

}  // namespace layerlab::theory
