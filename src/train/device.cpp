#include "train/device.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/cuda.h>

#include <charconv>
#include <cstdlib>

#include "core/error.h"

namespace layerlab::train {

at::Device pick_device(const std::string& text) {
  if (text == "cpu") return at::kCPU;
  if (text == "auto") return torch::cuda::is_available() ? at::Device(at::kCUDA, 0) : at::kCPU;
  int index = 0;
  const std::string numbered = "cuda:";
  if (text.starts_with(numbered)) {
    const char* begin = text.data() + numbered.size();
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, index);
    if (error != std::errc() || stop != end) index = -1;
  } else if (text != "cuda") {
    index = -1;
  }
  const Place place{"--device"};
  if (index < 0) {
    throw UserError(place, "expected auto, cpu, cuda or cuda:N, got '" + text + "'");
  }
  const int devices = static_cast<int>(torch::cuda::device_count());
  if (devices == 0) {
    throw UserError(place, "expected a GPU that LibTorch can use, and found none",
                    "use --device cpu, or see docs/gpu.md");
  }
  if (index >= devices) {
    throw UserError(place, "expected a GPU below " + std::to_string(devices) + ", got " + text);
  }
  return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(index));
}

void make_repeatable(int threads) {
  // cuBLAS reads this when it is first used; without it, its results depend on the stream.
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  at::set_num_threads(threads);
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
  // It would fill every new tensor with NaN first; we never read one before it is written.
  at::globalContext().setDeterministicFillUninitializedMemory(false);
  at::globalContext().setFloat32MatmulPrecision("highest");
}

}  // namespace layerlab::train
