// The feed-forward branch in the mean field.
#pragma once

#include "config/run_config.h"
#include "equation/program.h"
#include "theory/gaussian.h"
#include "theory/linear.h"
#include "theory/second_moments.h"

namespace layerlab::theory {

// W_down N(act(W_up x)), or gated W_down N(act(W_gate x) * W_up x), for random weights: what W_up
// and W_gate give is Gaussian, and all weights are independent of each other and of x.
class FeedForward {
 public:
  // `up_gain` and `gate_gain`: mean squares of learned factors, 1 without.
  // REQUIRES: the branch's mid norm is not pointwise.
  FeedForward(const config::ModelConfig& model, const equation::Branch& branch, double up_gain,
              double gate_gain);

  SecondMoments forward(const SecondMoments& x);

  // The gradient of x. REQUIRES: forward() was called.
  SecondMoments backward(const SecondMoments& gradient) const;

 private:
  const config::ModelConfig& model_;
  const equation::Branch& branch_;
  double up_gain_, gate_gain_;
  Linear up_, gate_, down_;
  SecondMoments u_;     // what W_up gives
  Transfer activated_;  // of u, or of what W_gate gives
  double factor_ = 1;   // the mid norm's
};

}  // namespace layerlab::theory
