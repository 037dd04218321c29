// Files of another implementation's numbers: those of tests/golden, and small ones made here.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "record/safetensors.h"
#include "tests/support/golden_file.h"

namespace layerlab {

// The names of all files in tests/golden, sorted.
inline std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_file("").parent_path())) {
    if (entry.path().extension() == ".safetensors") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// A file with zeros of these shapes.
inline record::SafeTensors zeros(const std::map<std::string, std::vector<std::int64_t>>& shapes,
                                 std::map<std::string, std::string> metadata) {
  record::SafeTensors file;
  file.metadata = std::move(metadata);
  for (const auto& [name, shape] : shapes) {
    std::size_t bytes = 8;
    for (const std::int64_t size : shape) bytes *= static_cast<std::size_t>(size);
    file.tensors[name] = {record::TensorType::kFloat64, shape, std::vector<std::byte>(bytes)};
  }
  return file;
}

}  // namespace layerlab
