// Mixed precision: matrix products in bfloat16.
//   const Autocast autocast(x.device(), /*enabled=*/true);
#pragma once

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace layerlab::train {

// While it lives, and if `enabled`, torch computes what gains by it (products, convolutions) in
// bfloat16 from float32 tensors: torch.autocast of Python. Parameters stay float32.
class Autocast {
 public:
  Autocast(at::Device device, bool enabled);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  c10::DeviceType type_;
  bool was_enabled_;
  at::ScalarType dtype_was_;
};

}  // namespace layerlab::train
