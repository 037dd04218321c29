// Conversion between the tensors of files and those of torch.
//   const at::Tensor weight = to_tensor(file.tensors.at("head.weight"));
#pragma once

#include <ATen/core/Tensor.h>

#include "record/safetensors.h"

namespace layerlab::train {

// A copy on the CPU, of the type that the file has.
at::Tensor to_tensor(const record::TensorData& data);

// REQUIRES: float32 or float64 values; on any device.
record::TensorData to_data(const at::Tensor& tensor);

}  // namespace layerlab::train
