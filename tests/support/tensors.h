// Helpers for tests with tensors.
#pragma once

#include <ATen/ATen.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

namespace layerlab {

// The largest |actual - expected|, relative to the largest |expected| or `floor`.
inline double relative_error(const at::Tensor& actual, const at::Tensor& expected,
                             double floor = 0) {
  const double error = (actual - expected).abs().max().item<double>();
  return error / std::max(expected.abs().max().item<double>(), floor);
}

// Matches a tensor of the same shape and the same bits.
MATCHER_P(BitEqual, expected, "has the same bits") {
  const at::Tensor actual = arg.contiguous(), wanted = expected.contiguous();
  if (actual.sizes() != wanted.sizes() || actual.dtype() != wanted.dtype()) {
    *result_listener << "whose shape or type differs";
    return false;
  }
  if (std::memcmp(actual.const_data_ptr(), wanted.const_data_ptr(), actual.nbytes()) == 0) {
    return true;
  }
  *result_listener << "whose largest difference is "
                   << (actual - wanted).abs().max().item<double>();
  return false;
}

// Matches a tensor within a relative error of the largest expected value.
MATCHER_P2(IsNear, expected, tolerance, "is near") {
  if (arg.sizes() != expected.sizes()) {
    *result_listener << "whose shape differs";
    return false;
  }
  const double error = relative_error(arg, expected);
  *result_listener << "whose relative error is " << error;
  return error <= tolerance;
}

}  // namespace layerlab
