#include "theory/feed_forward.h"

#include "theory/norm.h"

namespace layerlab::theory {
namespace {

// The moments of a product of independent values.
SecondMoments product(const SecondMoments& a, const SecondMoments& b) {
  return {a.square * b.square, a.cross * b.cross};
}

}  // namespace

FeedForward::FeedForward(const config::ModelConfig& model, const equation::Branch& branch,
                         double up_gain, double gate_gain)
    : model_(model), branch_(branch), up_gain_(up_gain), gate_gain_(gate_gain) {
  const int D = model.width, ff = model.ff;
  up_ = linear(model, branch, "up", D, ff, model.ff_bias);
  if (model.gated) gate_ = linear(model, branch, "gate", D, ff, model.ff_bias);
  down_ = linear(model, branch, "down", ff, D, model.ff_bias);
}

SecondMoments FeedForward::forward(const SecondMoments& x) {
  u_ = up_gain_ * up_.forward(x);
  activated_ = transfer(model_.activation, model_.gated ? gate_gain_ * gate_.forward(x) : u_);
  SecondMoments inner = model_.gated ? product(u_, activated_.value) : activated_.value;
  if (branch_.mid && centres(*branch_.mid, model_) && !model_.gated) {
    const double mean = activated_.mean * activated_.mean;
    inner = {inner.square - mean, inner.cross - mean};
  }
  factor_ = branch_.mid ? norm_factor(*branch_.mid, model_, model_.ff, inner.square) : 1;
  return down_.forward(factor_ * factor_ * inner);
}

SecondMoments FeedForward::backward(const SecondMoments& gradient) const {
  const SecondMoments inner = factor_ * factor_ * down_.backward(gradient);
  if (!model_.gated) return up_.backward(up_gain_ * product(inner, activated_.slope));
  return up_.backward(up_gain_ * product(inner, activated_.value)) +
         gate_.backward(gate_gain_ * product(inner, product(u_, activated_.slope)));
}

}  // namespace layerlab::theory
