// What the fuzz targets share: ./dev test --fuzz builds and runs them.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/error.h"

namespace layerlab::fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Runs `function`. A UserError is what a user would be told; anything else is a finding.
template <typename Function>
void attempt(Function function) {
  try {
    function();
  } catch (const UserError&) {
  }
}

// A folder of this process's own.
inline const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    auto made = std::filesystem::temp_directory_path() / ("fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(made);
    return made;
  }();
  return path;
}

// Writes the input where a reader of files finds it.
inline std::filesystem::path write(const char* name, std::string_view text) {
  const std::filesystem::path path = folder() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace layerlab::fuzz
