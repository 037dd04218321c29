// A linear layer with random weights.
#pragma once

#include <string>

#include "config/run_config.h"
#include "equation/program.h"
#include "theory/second_moments.h"

namespace layerlab::theory {

struct Linear {
  double forward_gain = 0;   // in * Var(weight)
  double backward_gain = 0;  // out * Var(weight)
  double bias = 0;           // Var(bias), the same at all tokens

  SecondMoments forward(const SecondMoments& x) const {
    return forward_gain * x + SecondMoments{bias, bias};
  }
  SecondMoments backward(const SecondMoments& gradient) const { return backward_gain * gradient; }
};

// The layer `matrix` of a branch, by the model's initialisation and the branch's own factors.
Linear linear(const config::ModelConfig& model, const equation::Branch& branch,
              const std::string& matrix, int in, int out, bool has_bias);

}  // namespace layerlab::theory
