#include "models/feed_forward.h"

namespace layerlab::models {

using config::Activation;

namespace {

at::Tensor activate(Activation activation, const at::Tensor& x) {
  switch (activation) {
    case Activation::kRelu:
      return at::relu(x);
    case Activation::kGelu:
      return at::gelu(x, "none");
    case Activation::kGeluTanh:
      return at::gelu(x, "tanh");
  }
  return {};
}

}  // namespace

FeedForwardImpl::FeedForwardImpl(const FeedForwardOptions& feed_forward_options)
    : options(feed_forward_options) {
  reset();
}

void FeedForwardImpl::reset() {
  up = register_module("up", Linear(LinearOptions{options.replicas, options.width, options.ff}));
  down =
      register_module("down", Linear(LinearOptions{options.replicas, options.ff, options.width}));
}

at::Tensor FeedForwardImpl::forward(const at::Tensor& x) {
  return down(activate(options.activation, up(x)));
}

}  // namespace layerlab::models
