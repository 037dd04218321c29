// The attention branch in the mean field.
#pragma once

#include <optional>

#include "config/run_config.h"
#include "equation/program.h"
#include "theory/linear.h"
#include "theory/second_moments.h"
#include "theory/softmax.h"

namespace layerlab::theory {

// Multi-head attention for random weights, independent of each other and of what they read.
class Attention {
 public:
  // `qk_gain`: mean square of the learned factor on q and k, 1 without. `keys` of `source`, which
  // is x itself but for cross-attention. REQUIRES: none of the branch's norms is pointwise.
  Attention(const config::ModelConfig& model, const equation::Branch& branch, double qk_gain,
            int queries, int keys);

  SecondMoments forward(const SecondMoments& x, const SecondMoments& source);

  // The gradients of x, by queries, and of the source, by keys and values. In self-attention x
  // receives the sum of both. REQUIRES: forward() was called.
  struct Gradients {
    SecondMoments x, source;
  };
  Gradients backward(const SecondMoments& gradient) const;

 private:
  // A projection of heads, with the norm and the factor that may follow it.
  struct Projection {
    Linear weights;
    double factor = 1;    // squared: of norm and gain
    SecondMoments value;  // the result
  };
  void project(Projection& projection, const SecondMoments& x,
               const std::optional<equation::Norm>& norm, double gain) const;

  const config::ModelConfig& model_;
  const equation::Branch& branch_;
  double qk_gain_;
  int queries_, keys_;
  Projection q_, k_, v_;
  Linear o_;
  double scale_;  // of q.k, squared, times K
  SoftmaxOverlap overlap_;
  double factor_ = 1;  // squared: the mid norm's
};

}  // namespace layerlab::theory
