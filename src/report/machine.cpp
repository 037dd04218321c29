#include "report/machine.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

namespace layerlab::report {
namespace fs = std::filesystem;
namespace {

// What follows "key:" in the first such line of a file.
std::optional<std::string> value_of(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(": \t", key.size());
    if (begin != std::string::npos) return line.substr(begin);
  }
  return std::nullopt;
}

}  // namespace

std::string processor() {
  return value_of("/proc/cpuinfo", "model name").value_or("unknown processor");
}

std::vector<std::string> gpus() {
  std::vector<std::string> models;
  std::error_code none;
  for (const fs::directory_entry& gpu : fs::directory_iterator("/proc/driver/nvidia/gpus", none)) {
    if (const auto model = value_of(gpu.path() / "information", "Model")) models.push_back(*model);
  }
  std::ranges::sort(models);
  return models;
}

}  // namespace layerlab::report
