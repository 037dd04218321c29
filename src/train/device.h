// The device a run trains on.
//   make_repeatable(/*threads=*/1);
//   const at::Device device = pick_device("auto");
#pragma once

#include <c10/core/Device.h>

#include <string>

namespace layerlab::train {

// "auto" (a GPU if torch can use one), "cpu", "cuda" or "cuda:N".
// Throws UserError for other words, and for a GPU that is not there.
at::Device pick_device(const std::string& text);

// Settings of torch that runs must agree on to be repeatable: threads, no TF32, deterministic
// kernels. Call once, before the first tensor.
void make_repeatable(int threads);

}  // namespace layerlab::train
