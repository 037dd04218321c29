#include "tests/support/golden_file.h"

namespace layerlab {

std::filesystem::path golden_file(const std::string& name) {
  return std::filesystem::path(LAYERLAB_SOURCE) / "tests" / "golden" / (name + ".safetensors");
}

}  // namespace layerlab
