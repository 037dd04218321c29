// The part of common_mistakes.h that changes files.

#include <algorithm>
#include <cstring>
#include <map>

#include "conform/common_mistakes.h"
#include "conform/tensor_names.h"

namespace layerlab::conform {
namespace {

using Names = std::vector<std::string>;

bool is_square(const record::TensorData& data) {
  return data.shape.size() == 2 && data.shape[0] == data.shape[1] && data.shape[0] > 1;
}

// "attn.q.weight" of "blocks.3.attn.q.weight".
std::string without_layer(const std::string& name) {
  const std::size_t blocks = name.find("blocks.");
  if (blocks == std::string::npos) return name;
  const std::size_t dot = name.find('.', blocks + std::strlen("blocks."));
  return dot == std::string::npos ? name : name.substr(0, blocks) + name.substr(dot + 1);
}

Names with_gradients(const Names& names, const record::SafeTensors& file) {
  Names result = names;
  for (const std::string& name : names) {
    if (file.tensors.contains("grad." + name)) result.push_back("grad." + name);
  }
  return result;
}

void transpose(record::TensorData& data) {
  const auto rows = static_cast<std::size_t>(data.shape[0]);
  const auto columns = static_cast<std::size_t>(data.shape[1]);
  const std::size_t size = rows * columns == 0 ? 0 : data.bytes.size() / (rows * columns);
  std::vector<std::byte> bytes(data.bytes.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      std::copy_n(data.bytes.begin() + static_cast<std::ptrdiff_t>((i * columns + j) * size), size,
                  bytes.begin() + static_cast<std::ptrdiff_t>((j * rows + i) * size));
    }
  }
  data.bytes = std::move(bytes);
  std::swap(data.shape[0], data.shape[1]);
}

}  // namespace

std::vector<Hypothesis> transpositions(const TomlNode& description,
                                       const record::SafeTensors& file) {
  std::map<std::string, Names> by_name;
  Names all;
  for (const auto& [name, data] : file.tensors) {
    if (!is_parameter(name) || !is_square(data)) continue;
    by_name[without_layer(name)].push_back(name);
    all.push_back(name);
  }
  std::vector<Hypothesis> result;
  const auto add = [&](const std::string& what, const Names& names) {
    const Names both = with_gradients(names, file);
    result.push_back({what + " stored [in, out]", description, both});
    if (both.size() == names.size()) return;
    result.push_back({what + " stored [in, out], but not its gradient", description, names});
  };
  if (by_name.size() > 1) add("every square weight", all);
  for (const auto& [name, names] : by_name) {
    if (names.size() > 1) add("every " + name, names);
  }
  for (const std::string& name : all) add(name, {name});
  return result;
}

record::SafeTensors transposed(record::SafeTensors file, const Names& names) {
  for (const std::string& name : names) transpose(file.tensors.at(name));
  return file;
}

}  // namespace layerlab::conform
