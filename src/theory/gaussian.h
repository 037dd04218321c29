// Moments of functions of Gaussian variables.
#pragma once

#include <functional>

#include "config/run_config.h"
#include "theory/second_moments.h"

namespace layerlab::theory {

// A function of one number, and its derivative.
struct Curve {
  std::function<double(double)> value, slope;
};

Curve tanh_curve(double inner);  // tanh(inner u)

// Moments of y = f(u) and of f'(u) for Gaussian u, at one token and at two.
struct Transfer {
  double mean = 0;  // E f(u)
  SecondMoments value, slope;
};

// ReLU by the arc-cosine kernel of orders 1 and 0 (Cho & Saul 2009); the others by quadrature.
Transfer transfer(config::Activation activation, const SecondMoments& u);

// By quadrature. REQUIRES: f is smooth.
Transfer transfer(const Curve& curve, const SecondMoments& u);

// The density of the standard normal distribution, and the probability of less than z.
double density(double z);
double normal_below(double z);

// E f(z) for z ~ N(0, 1), by quadrature.
double gaussian_mean(const std::function<double(double)>& f);

}  // namespace layerlab::theory
