#include "worker/version.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/cuda.h>

#include <string>

#include "models/torch_version.h"

namespace layerlab::worker {

sweep::WorkerVersion worker_version() {
  sweep::WorkerVersion version;
  version.version = LAYERLAB_VERSION;
  version.torch = TORCH_VERSION;
  version.build = LAYERLAB_BUILD;
  version.devices = {"cpu"};
  for (int i = 0; i < torch::cuda::device_count(); ++i) {
    version.devices.push_back("cuda:" + std::to_string(i));
  }
  version.threads = at::get_num_threads();
  return version;
}

}  // namespace layerlab::worker
