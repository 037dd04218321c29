// Strict reading of a TOML table into plain structs: every key is known, has the right type and
// lies in its range, or the user hears what was expected and where.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/toml.h"

namespace layerlab {

// Numbers that a key may have. Not-a-number is never among them.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_included = true, high_included = true;

  bool contains(double value) const;
  // "from 1 to 8", "of at least 0", "above 0", "from 0 to below 1".
  std::string text() const;
};

Range from_to(double low, double high);
Range from_below(double low, double high);  // high is excluded
Range at_least(double low);                 // finite
Range above(double low);                    // finite

// Names that a key of type string may have.
struct OneOf {
  std::vector<std::string> names;
};

// An enum whose names `enum_names(E{})`, found beside the enum, lists in the order of its values.
template <typename E>
concept NamedEnum = std::is_enum_v<E> && requires(E value) {
  enum_names(value);
};

template <NamedEnum E>
OneOf choices() {
  OneOf result;
  for (const auto name : enum_names(E{})) result.names.emplace_back(name);
  return result;
}

template <NamedEnum E>
std::string name_of(E value) {
  return std::string(enum_names(value)[static_cast<std::size_t>(value)]);
}

// The value of a name that is one of choices<E>().
template <NamedEnum E>
E value_of(const std::string& name) {
  const std::vector<std::string> names = choices<E>().names;
  return static_cast<E>(std::ranges::find(names, name) - names.begin());
}

// What a field may hold: one value of a type, two of them, or a list.
struct FieldType {
  enum class Value { kBoolean, kInteger, kNumber, kString };  // a number may be written as integer
  enum class Count { kOne, kTwo, kList };                     // one string is a list of it

  Value value;
  Count count = Count::kOne;
  Range range = {};                   // of integers and numbers
  std::optional<OneOf> choices = {};  // of strings

  bool fits(const TomlNode& node) const;
  // For messages and for docs/configuration.md: "an integer from 1 to 8", "a list of strings".
  std::string text() const;
};

// Fields are of these C++ types: bool, int, std::uint64_t, double, std::string, enums with names,
// std::array<T, 2> and std::vector<T>. A number's constraint is a Range, a string's may be a OneOf.
template <typename T>
FieldType field_type() {
  using Value = FieldType::Value;
  if constexpr (std::same_as<T, bool>) {
    return {Value::kBoolean};
  } else if constexpr (std::integral<T>) {
    return {Value::kInteger};
  } else if constexpr (std::same_as<T, double>) {
    return {Value::kNumber};
  } else if constexpr (std::same_as<T, std::string>) {
    return {Value::kString};
  } else if constexpr (NamedEnum<T>) {
    return {.value = Value::kString, .choices = choices<T>()};
  } else {
    FieldType type = field_type<typename T::value_type>();
    const bool is_pair = std::same_as<T, std::array<typename T::value_type, 2>>;
    type.count = is_pair ? FieldType::Count::kTwo : FieldType::Count::kList;
    return type;
  }
}
template <typename T>
FieldType field_type(const Range& range) {
  FieldType type = field_type<T>();
  type.range = range;
  return type;
}
template <typename T>
FieldType field_type(const OneOf& choices) {
  FieldType type = field_type<T>();
  type.choices = choices;
  return type;
}

template <typename T, typename... Constraint>
std::string allowed(const T&, const Constraint&... constraint) {
  return field_type<T>(constraint...).text();
}

// A field's value as TOML.
template <typename T>
TomlNode to_node(const T& value) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    return {static_cast<std::int64_t>(value), {}, {}, {}};
  } else if constexpr (NamedEnum<T>) {
    return {name_of(value), {}, {}, {}};
  } else if constexpr (std::constructible_from<decltype(TomlNode::value), const T&>) {
    return {value, {}, {}, {}};
  } else {
    TomlNode::Array array;
    for (const auto& element : value) array.push_back(to_node(element));
    return {std::move(array), {}, {}, {}};
  }
}

// Sets a field to a value that fits its type.
template <typename T>
void from_node(const TomlNode& node, T& field) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    const std::int64_t value = std::get<std::int64_t>(node.value);
    assert(std::in_range<T>(value));  // the range is within the field's type
    field = static_cast<T>(value);
  } else if constexpr (std::same_as<T, double>) {
    field = *as_number(node);
  } else if constexpr (NamedEnum<T>) {
    field = value_of<T>(std::get<std::string>(node.value));
  } else if constexpr (std::constructible_from<decltype(TomlNode::value), const T&>) {
    field = std::get<T>(node.value);
  } else {
    const auto* const array = std::get_if<TomlNode::Array>(&node.value);
    const std::size_t size = array == nullptr ? 1 : array->size();
    if constexpr (requires { field.resize(size); }) field.resize(size);
    for (std::size_t i = 0; i < size; ++i)
      from_node(array == nullptr ? node : (*array)[i], field[i]);
  }
}

// Reads one table. Each `read` names a known key; finish() refuses all others.
class TableReader {
 public:
  // `path` is how messages name the table, "model" or "" for the document.
  // Throws UserError when `table` is not a table. It must outlive the reader.
  TableReader(const TomlNode& table, std::string path);

  // Overwrites `field` and returns true where the key is present; the field's value before is the
  // default, and serves as the example in messages. Throws UserError for whatever else is there.
  template <typename T, typename... Constraint>
  bool read(const char* key, T& field, const Constraint&... constraint) {
    const TomlNode* const node = child(key);
    if (node == nullptr) return false;
    const FieldType type = field_type<T>(constraint...);
    if (!type.fits(*node)) refuse(*node, key, type, to_node(field));
    from_node(*node, field);
    return true;
  }

  // Throws UserError unless the key is there; `example` is what one could write after "key = ". A
  // key that no read() named so far and that looks like this one is told of instead.
  void require(const char* key, const char* example);

  // Declares a key and returns what is there, unread, or null.
  const TomlNode* child(const char* key);

  // Throws UserError at the first key that no read() named, suggesting the nearest that one did.
  void finish() const;

 private:
  [[noreturn]] void refuse(const TomlNode& node, const char* key, const FieldType& type,
                           const TomlNode& example) const;
  std::string full_name(std::string_view key) const;

  const TomlNode& table_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace layerlab
