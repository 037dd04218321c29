#include "conform/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

#include "conform/tensor_names.h"

namespace layerlab::conform {
namespace {

using record::SafeTensors;
using record::TensorData;
using record::TensorType;

constexpr std::array<std::string_view, 3> kGiven = {"input", "memory", "loss_weight"};

template <typename Number>
bool all_finite(const std::vector<std::byte>& bytes) {
  for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
    Number value;
    std::memcpy(&value, bytes.data() + at, sizeof(Number));
    if (!std::isfinite(value)) return false;
  }
  return true;
}

bool is_finite(const TensorData& data) {
  switch (data.type) {
    case TensorType::kFloat32:
      return all_finite<float>(data.bytes);
    case TensorType::kFloat64:
      return all_finite<double>(data.bytes);
    case TensorType::kInt64:
      return true;
  }
  return true;
}

const TensorData& required(const SafeTensors& file, const std::string& name, const Place& place) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) {
    throw UserError(place, "expected a tensor " + name, "docs/conform.md lists what belongs in");
  }
  return found->second;
}

void check_type(const std::string& name, const TensorData& data, const Place& place) {
  const bool whole = data.type == TensorType::kInt64;
  if (name == "input_ids" && !whole) {
    throw UserError(place, "expected input_ids of type I64, got F32 or F64",
                    "input is for what has no embedding");
  }
  if (name != "input_ids" && whole) {
    throw UserError(place, "expected " + name + " of type F64 or F32, got I64",
                    name == "input" ? "token ids are input_ids" : "store .double() of it");
  }
}

void check_same_shape(const SafeTensors& file, const std::string& name, const std::string& as,
                      const Place& place) {
  const auto found = file.tensors.find(name), model = file.tensors.find(as);
  if (found == file.tensors.end() || model == file.tensors.end()) return;
  if (found->second.shape == model->second.shape) return;
  throw UserError(place, "expected " + name + " of shape " + shape_text(model->second.shape) +
                             ", as " + as + " has, got " + shape_text(found->second.shape));
}

// Ids have rows in the table of embeddings, and tokens in that of positions.
void check_ids(const SafeTensors& file, const TensorData& ids, const Place& place) {
  for (const auto& [name, table] : file.tensors) {
    const std::string ours = our_names(name).front();
    const std::int64_t rows = table.shape.empty() ? 0 : table.shape[0];
    if (ours == "embedding.position" && rows < ids.shape[1]) {
      throw UserError(place, "expected " + name + " to have a row for each of " +
                                 std::to_string(ids.shape[1]) + " tokens, got " +
                                 shape_text(table.shape));
    }
    for (std::size_t at = 0; ours == "embedding.token" && at < ids.bytes.size(); at += 8) {
      std::int64_t id;
      std::memcpy(&id, ids.bytes.data() + at, sizeof(id));
      if (id >= 0 && id < rows) continue;
      throw UserError(place, "expected input_ids from 0 to " + std::to_string(rows - 1) +
                                 ", the rows of " + name + ", got " + std::to_string(id));
    }
  }
}

}  // namespace

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

void check_tensors(const SafeTensors& file, const Place& place) {
  const bool ids = file.tensors.contains("input_ids");
  const std::string input = ids ? "input_ids" : "input";
  const std::vector<std::int64_t>& shape = required(file, input, place).shape;
  if (shape.size() != (ids ? 2 : 3)) {
    throw UserError(place, "expected " + input + " of shape " + (ids ? "[B, T]" : "[B, T, D]") +
                               ", got " + shape_text(shape));
  }
  const std::vector<std::int64_t>& output = required(file, "output", place).shape;
  if (output.size() != 3 || output[0] != shape[0] || output[1] != shape[1]) {
    throw UserError(place, "expected output of shape [" + std::to_string(shape[0]) + ", " +
                               std::to_string(shape[1]) + ", D], got " + shape_text(output));
  }
  for (const auto& [name, data] : file.tensors) {
    check_type(name, data, place);
    if (name.starts_with("grad.")) check_same_shape(file, name, name.substr(5), place);
    const bool given = is_parameter(name) || std::ranges::find(kGiven, name) != kGiven.end();
    if (given && !is_finite(data)) {
      throw UserError(place, "tensor " + name + " holds a value that is not finite");
    }
  }
  check_same_shape(file, "loss_weight", "output", place);
  if (ids) check_ids(file, file.tensors.at("input_ids"), place);
}

}  // namespace layerlab::conform
