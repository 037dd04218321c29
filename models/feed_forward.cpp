#include "models/feed_forward.h"

#include <string>
#include <utility>

#include "models/elementwise.h"

namespace layerlab::models {

using config::Activation;

namespace {

at::Tensor activate(Activation activation, const at::Tensor& x) {
  switch (activation) {
    case Activation::kRelu:
      return at::relu(x);
    case Activation::kGelu:
      return elementwise(x, [](const at::Tensor& part) { return at::gelu(part, "none"); });
    case Activation::kGeluTanh:
      return elementwise(x, [](const at::Tensor& part) { return at::gelu(part, "tanh"); });
    case Activation::kSilu:
      return elementwise(x, [](const at::Tensor& part) { return at::silu(part); });
  }
  return {};
}

at::Tensor multiplied(const at::Tensor& x, const at::Tensor& gain) {
  return gain.defined() ? x * gain : x;
}

}  // namespace

FeedForwardImpl::FeedForwardImpl(FeedForwardOptions feed_forward_options)
    : options(std::move(feed_forward_options)) {
  reset();
}

void FeedForwardImpl::reset() {
  const equation::Branch& branch = options.branch;
  const std::int64_t D = options.model.width, ff = options.model.ff;
  const auto linear = [&](const char* name, std::int64_t in, std::int64_t out) {
    LinearOptions linear_options{options.replicas, in, out, options.model.ff_bias};
    if (branch.gain.contains(name)) linear_options.gain = branch.gain.at(name);
    if (branch.deviation.contains(name)) linear_options.deviation = branch.deviation.at(name);
    return register_module(name, Linear(linear_options));
  };
  up = linear("up", D, ff);
  if (options.model.gated) gate = linear("gate", D, ff);
  down = linear("down", ff, D);
  if (branch.mid) {
    mid_norm = register_module("norm_mid",
                               Norm(norm_options(options.replicas, *branch.mid, options.model)));
  }
}

at::Tensor FeedForwardImpl::forward(const at::Tensor& x, const at::Tensor& up_gain,
                                    const at::Tensor& gate_gain) {
  const at::Tensor u = multiplied(up(x), up_gain);
  const Activation activation = options.model.activation;
  at::Tensor inner =
      gate ? u * activate(activation, multiplied(gate(x), gate_gain)) : activate(activation, u);
  if (mid_norm) inner = mid_norm(inner);
  return down(inner);
}

}  // namespace layerlab::models
