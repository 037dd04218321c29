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

// Key of a checksum in the metadata: XXH3, 128 bits, of the other metadata, and of the names,
// types, shapes and bytes of all tensors.
inline constexpr const char* kChecksum = "layerlab.checksum";
void add_checksum(SafeTensors& contents);

// Throws UserError naming the file and what is wrong with it (missing, truncated, bad header,
// overlapping or out-of-range offsets, a type other than F32, F64, I64, or a checksum that it has
// and that does not fit).
SafeTensors read_safetensors(const std::filesystem::path& path);

// Writes to a temporary name, syncs and renames: the file is whole or not there.
void write_safetensors(const std::filesystem::path& path, const SafeTensors& contents);

}  // namespace layerlab::record
