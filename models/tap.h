// The hook through which every place of an equation can be observed.
//   model(input, TapFunction([](int tap, const at::Tensor& value) { return value; }));
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <utility>

namespace layerlab::models {

// Called with the index of a tap (Program::taps) and the value that passes there; returns the
// value to go on with. An observer returns its input unchanged. Empty: nobody observes.
using TapFunction = std::function<at::Tensor(int tap, const at::Tensor& value)>;

// Called with the index of the tap at an attention branch's output, the logits that its softmax
// reads and the weights that it gives, both [R, B, H, T, T_k]. Keys that a query may not see have
// logits of -inf, or -1e30 where they are padding, and weights of 0. Empty: nobody observes.
using AttentionTap =
    std::function<void(int tap, const at::Tensor& logits, const at::Tensor& weights)>;

// Who observes a forward pass. A tap alone is one.
struct Observers {
  TapFunction value;
  AttentionTap attention;

  Observers(TapFunction of_values = {}, AttentionTap of_attention = {})
      : value(std::move(of_values)), attention(std::move(of_attention)) {}
};

}  // namespace layerlab::models
