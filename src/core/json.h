// JSON as a tree that keeps the order of its keys. nlohmann-json does the parsing and printing and
// is seen by json.cpp only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.h"

namespace layerlab {

struct JsonNode {
  using Array = std::vector<JsonNode>;
  using Object = std::vector<std::pair<std::string, JsonNode>>;

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> value;

  JsonNode() = default;
  // Not explicit, so that a tree in code reads like JSON.
  JsonNode(bool v) : value(v) {}
  JsonNode(int v) : value(std::int64_t{v}) {}
  JsonNode(std::int64_t v) : value(v) {}
  JsonNode(double v) : value(v) {}
  JsonNode(const char* v) : value(std::string(v)) {}
  JsonNode(std::string v) : value(std::move(v)) {}
  JsonNode(Array v) : value(std::move(v)) {}
  JsonNode(Object v) : value(std::move(v)) {}

  // The value as T, or null when it is something else: `get<Object>()`, `get<std::int64_t>()`.
  template <typename T>
  const T* get() const {
    return std::get_if<T>(&value);
  }
  // The value under `key`, or null when this is no object or has no such key.
  const JsonNode* find(std::string_view key) const;
  // The value under `key`, or `fallback` where there is none of type T. A double may be written as
  // an integer.
  template <typename T>
  T value_or(std::string_view key, T fallback) const {
    const JsonNode* const node = find(key);
    if (node == nullptr) return fallback;
    if (const T* const found = node->get<T>()) return *found;
    if constexpr (std::is_same_v<T, double>) {
      if (const auto* const whole = node->get<std::int64_t>()) return static_cast<double>(*whole);
    }
    return fallback;
  }
};

// Throws UserError at `place` for text that is not JSON, for more than 64 levels of arrays and
// objects, and for an object with a repeated key. Takes time in proportion to the text's length.
// Integers beyond 64 bits with sign become doubles.
JsonNode parse_json(std::string_view text, const Place& place);

// On one line without spaces, or indented by two spaces. Doubles survive the round trip exactly;
// NaN and infinities, which JSON lacks, become null.
enum class JsonLayout { kCompact, kIndented };
std::string to_json(const JsonNode& root, JsonLayout layout);

}  // namespace layerlab
