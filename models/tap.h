// The hook through which every place of an equation can be observed.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace layerlab::models {

// Called with the index of a tap (Program::taps) and the value that passes there; returns the
// value to go on with. An observer returns its input unchanged. Empty: nobody observes.
using TapFunction = std::function<at::Tensor(int tap, const at::Tensor& value)>;

}  // namespace layerlab::models
