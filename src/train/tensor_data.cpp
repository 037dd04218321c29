#include "train/tensor_data.h"

#include <ATen/ATen.h>

#include <cstring>

namespace layerlab::train {
namespace {

at::ScalarType scalar_type(record::TensorType type) {
  switch (type) {
    case record::TensorType::kFloat32:
      return at::kFloat;
    case record::TensorType::kFloat64:
      return at::kDouble;
    case record::TensorType::kInt64:
      return at::kLong;
  }
  return at::kDouble;
}

}  // namespace

at::Tensor to_tensor(const record::TensorData& data) {
  at::Tensor result = at::empty(data.shape, scalar_type(data.type));
  std::memcpy(result.mutable_data_ptr(), data.bytes.data(), data.bytes.size());
  return result;
}

record::TensorData to_data(const at::Tensor& tensor) {
  const at::Tensor host = tensor.to(at::kCPU).contiguous();
  record::TensorData data;
  data.type = host.scalar_type() == at::kDouble ? record::TensorType::kFloat64
                                                : record::TensorType::kFloat32;
  data.shape = host.sizes().vec();
  data.bytes.resize(host.nbytes());
  std::memcpy(data.bytes.data(), host.const_data_ptr(), host.nbytes());
  return data;
}

}  // namespace layerlab::train
