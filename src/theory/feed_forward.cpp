#include "theory/feed_forward.h"

#include "theory/norm.h"

namespace layerlab::theory {
namespace {

// Of a product of independent values.
Moments product(const Moments& a, const Moments& b) {
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

Moments FeedForward::forward(const Moments& x) {
  u_ = up_gain_ * up_.forward(x);
  bent_ = transfer(model_.activation, model_.gated ? gate_gain_ * gate_.forward(x) : u_);
  Moments inner = model_.gated ? product(u_, bent_.value) : bent_.value;
  if (branch_.mid && centres(*branch_.mid, model_) && !model_.gated) {
    const double mean = bent_.mean * bent_.mean;
    inner = {inner.square - mean, inner.cross - mean};
  }
  factor_ = branch_.mid ? norm_factor(*branch_.mid, model_, model_.ff, inner.square) : 1;
  return down_.forward(factor_ * factor_ * inner);
}

Moments FeedForward::backward(const Moments& gradient) const {
  const Moments inner = factor_ * factor_ * down_.backward(gradient);
  if (!model_.gated) return up_.backward(up_gain_ * product(inner, bent_.slope));
  return up_.backward(up_gain_ * product(inner, bent_.value)) +
         gate_.backward(gate_gain_ * product(inner, product(u_, bent_.slope)));
}

}  // namespace layerlab::theory
