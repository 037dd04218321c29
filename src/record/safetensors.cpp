#include "record/safetensors.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/mapped_file.h"

namespace layerlab::record {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are copied byte for byte");

constexpr std::size_t kLengthBytes = 8;                // the header's length, ahead of the header
constexpr std::uint64_t kLongestHeader = 100'000'000;  // the reference implementation's limit

struct TypeName {
  TensorType type;
  std::string_view name;
  std::size_t bytes;
};
constexpr TypeName kTypes[] = {{TensorType::kFloat64, "F64", 8},
                               {TensorType::kInt64, "I64", 8},
                               {TensorType::kFloat32, "F32", 4}};

const TypeName& describe(TensorType type) {
  return *std::find_if(std::begin(kTypes), std::end(kTypes),
                       [type](const TypeName& entry) { return entry.type == type; });
}

// Bytes that a tensor takes, or nothing when that overflows or a dimension is negative.
std::optional<std::size_t> byte_size(TensorType type, const std::vector<std::int64_t>& shape) {
  std::size_t bytes = describe(type).bytes;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(dimension), &bytes)) {
      return std::nullopt;
    }
  }
  return bytes;
}

std::string checksum(const SafeTensors& contents) {
  std::string text;
  std::vector<std::string_view> parts(1);  // `text`, when it is complete
  for (const auto& [key, value] : contents.metadata) {
    if (key != kChecksum) text += key + '\0' + value + '\0';
  }
  for (const auto& [name, tensor] : contents.tensors) {
    text += name + '\0' + std::string(describe(tensor.type).name);
    for (const std::int64_t size : tensor.shape) text += ' ' + std::to_string(size);
    text += '\0';
    parts.emplace_back(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  parts.front() = text;
  return hash_hex(parts);
}

class HeaderReader {
 public:
  HeaderReader(std::string_view file, const Place& place) : file_(file), place_(place) {}

  SafeTensors read() {
    if (file_.size() < kLengthBytes) fail("is too short to be safetensors");
    std::uint64_t length;
    std::memcpy(&length, file_.data(), kLengthBytes);
    if (length > kLongestHeader) fail("is not safetensors: its header would be too long");
    if (length > file_.size() - kLengthBytes) fail("is truncated within its header");
    const JsonNode header = parse_json(file_.substr(kLengthBytes, length), place_);
    data_ = file_.substr(kLengthBytes + length);

    const auto* entries = header.get<JsonNode::Object>();
    if (entries == nullptr) fail("has a header that is not a table");
    SafeTensors result;
    for (const auto& [name, entry] : *entries) {
      if (name == "__metadata__") {
        result.metadata = read_metadata(entry);
      } else {
        result.tensors[name] = read_tensor(name, entry);
      }
    }
    check_coverage();
    const auto known = result.metadata.find(kChecksum);
    if (known != result.metadata.end() && known->second != checksum(result)) {
      throw UserError(place_, "is damaged: its contents do not fit its checksum",
                      std::string("remove ") + kChecksum + " from its metadata if you changed it");
    }
    return result;
  }

 private:
  struct Span {
    std::int64_t begin, end;
    std::string name;
  };

  [[noreturn]] void fail(const std::string& what) const { throw UserError(place_, what); }
  [[noreturn]] void fail(const std::string& tensor, const std::string& what) const {
    fail("tensor '" + tensor + "' " + what);
  }

  std::map<std::string, std::string> read_metadata(const JsonNode& node) const {
    const auto* entries = node.get<JsonNode::Object>();
    if (entries == nullptr) fail("has metadata that is not a table");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, value] : *entries) {
      const auto* text = value.get<std::string>();
      if (text == nullptr) fail("has metadata '" + key + "' that is not text");
      metadata[key] = *text;
    }
    return metadata;
  }

  std::vector<std::int64_t> integers(const std::string& tensor, const JsonNode& entry,
                                     const std::string& key) const {
    const JsonNode* node = entry.find(key);
    const auto* array = node == nullptr ? nullptr : node->get<JsonNode::Array>();
    if (array == nullptr) fail(tensor, "lacks the list '" + key + "'");
    std::vector<std::int64_t> result;
    for (const JsonNode& item : *array) {
      const auto* number = item.get<std::int64_t>();
      if (number == nullptr) fail(tensor, "has a '" + key + "' that is not of integers");
      result.push_back(*number);
    }
    return result;
  }

  TensorType type(const std::string& tensor, const JsonNode& entry) const {
    const JsonNode* node = entry.find("dtype");
    const auto* text = node == nullptr ? nullptr : node->get<std::string>();
    if (text == nullptr) fail(tensor, "lacks a 'dtype'");
    for (const TypeName& known : kTypes) {
      if (known.name == *text) return known.type;
    }
    fail(tensor, "is of type " + *text + ", not F32, F64 or I64");
  }

  TensorData read_tensor(const std::string& name, const JsonNode& entry) {
    const auto* keys = entry.get<JsonNode::Object>();
    if (keys == nullptr) fail(name, "is not described by a table");
    TensorData tensor{type(name, entry), integers(name, entry, "shape"), {}};
    const std::vector<std::int64_t> offsets = integers(name, entry, "data_offsets");
    if (keys->size() != 3) fail(name, "has keys beyond dtype, shape and data_offsets");
    if (offsets.size() != 2 || offsets[0] < 0 || offsets[1] < offsets[0]) {
      fail(name, "has data_offsets that are not [begin, end]");
    }
    if (static_cast<std::uint64_t>(offsets[1]) > data_.size()) {
      fail(name, "reaches beyond the end of the file; is it truncated?");
    }
    const auto bytes = byte_size(tensor.type, tensor.shape);
    if (bytes != static_cast<std::size_t>(offsets[1] - offsets[0])) {
      fail(name, "has a shape that does not fit its data_offsets");
    }
    tensor.bytes.resize(*bytes);
    if (*bytes > 0) std::memcpy(tensor.bytes.data(), data_.data() + offsets[0], *bytes);
    spans_.push_back({offsets[0], offsets[1], name});
    return tensor;
  }

  // The format forbids overlaps and holes: every byte of data belongs to exactly one tensor.
  void check_coverage() {
    std::sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::int64_t end = 0;
    for (const Span& span : spans_) {
      if (span.begin < end) fail(span.name, "overlaps another tensor");
      if (span.begin > end) fail(span.name, "begins after bytes that belong to no tensor");
      end = span.end;
    }
    if (static_cast<std::uint64_t>(end) != data_.size()) fail("has bytes that belong to no tensor");
  }

  std::string_view file_, data_;
  const Place& place_;
  std::vector<Span> spans_;
};

}  // namespace

void add_checksum(SafeTensors& contents) { contents.metadata[kChecksum] = checksum(contents); }

SafeTensors read_safetensors(const std::filesystem::path& path) {
  const MappedFile file(path);
  return HeaderReader(file.bytes(), {path.string()}).read();
}

void write_safetensors(const std::filesystem::path& path, const SafeTensors& contents) {
  using Entry = std::pair<const std::string, TensorData>;
  std::vector<const Entry*> order;
  for (const Entry& entry : contents.tensors) order.push_back(&entry);
  // Wide types first keeps every tensor aligned; by name within, so that equal contents are equal
  // files.
  std::stable_sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
    return describe(a->second.type).bytes > describe(b->second.type).bytes;
  });

  JsonNode::Object header;
  if (!contents.metadata.empty()) {
    JsonNode::Object metadata;
    for (const auto& [key, value] : contents.metadata) metadata.emplace_back(key, value);
    header.emplace_back("__metadata__", std::move(metadata));
  }
  std::int64_t offset = 0;
  for (const Entry* entry : order) {
    const auto& [name, tensor] = *entry;
    assert(byte_size(tensor.type, tensor.shape) == tensor.bytes.size());
    const std::int64_t end = offset + static_cast<std::int64_t>(tensor.bytes.size());
    header.emplace_back(name,
                        JsonNode::Object{
                            {"dtype", std::string(describe(tensor.type).name)},
                            {"shape", JsonNode::Array(tensor.shape.begin(), tensor.shape.end())},
                            {"data_offsets", JsonNode::Array{offset, end}},
                        });
    offset = end;
  }
  std::string text = to_json(std::move(header), JsonLayout::kCompact);
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data starts aligned

  AtomicFile file(path);
  const std::uint64_t length = text.size();
  file.write(&length, kLengthBytes);
  file.write(text.data(), text.size());
  for (const Entry* entry : order) {
    file.write(entry->second.bytes.data(), entry->second.bytes.size());
  }
  file.commit();
}

}  // namespace layerlab::record
