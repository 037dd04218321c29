// The safetensors format: little-endian tensors behind a JSON header. Read and written without
// torch, so that reports and tests of the torch-free half can use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace layerlab::record {

enum class TensorType { kFloat32, kFloat64, kInt64 };

struct TensorData {
  TensorType type{};
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;  // row-major
};

struct SafeTensors {
  std::map<std::string, TensorData> tensors;
  std::map<std::string, std::string> metadata;
};

// Throws UserError naming the file and what is wrong with it (missing, truncated, bad header,
// overlapping or out-of-range offsets, a type other than F32, F64, I64).
SafeTensors read_safetensors(const std::filesystem::path& path);

// Writes to a temporary name, syncs and renames: the file is whole or not there.
void write_safetensors(const std::filesystem::path& path, const SafeTensors& contents);

}  // namespace layerlab::record
