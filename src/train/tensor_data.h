// Tensors as files hold them, and as torch does.
#pragma once

#include <ATen/core/Tensor.h>

#include "record/safetensors.h"

namespace layerlab::train {

// A copy on the CPU, of the type that the file has.
at::Tensor to_tensor(const record::TensorData& data);

// REQUIRES: float32 or float64 values; on any device.
record::TensorData to_data(const at::Tensor& tensor);

}  // namespace layerlab::train
