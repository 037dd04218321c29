// Strict reading of a TOML table into plain structs: every key is known, has the right type and
// lies in its range, or the user hears what was expected and where.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
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

template <NamedEnum E>
std::vector<std::string> names_of(const std::vector<E>& values) {
  std::vector<std::string> names;
  for (const E value : values) names.push_back(name_of(value));
  return names;
}

// The value of a name that is one of choices<E>().
template <NamedEnum E>
E value_of(const std::string& name) {
  const std::vector<std::string> names = choices<E>().names;
  return static_cast<E>(std::ranges::find(names, name) - names.begin());
}

// What a field may hold, for messages and for docs/configuration.md: "an integer from 1 to 8".
std::string allowed(int, const Range& range);
std::string allowed(std::uint64_t, const Range& range);
std::string allowed(double, const Range& range);
std::string allowed(const std::array<double, 2>&, const Range& range);
std::string allowed(const std::string&);
std::string allowed(const std::string&, const OneOf& choices);
std::string allowed(const std::vector<std::string>&);
template <std::same_as<bool> Bool>  // whatever else would turn into a bool is not one
std::string allowed(Bool) {
  return "true or false";
}
std::string allowed(const std::vector<std::string>&, const OneOf& choices);
template <NamedEnum E>
std::string allowed(E) {
  return allowed(std::string(), choices<E>());
}
template <NamedEnum E>
std::string allowed(const std::vector<E>&) {
  return allowed(std::vector<std::string>(), choices<E>());
}

// A field's value as TOML.
TomlNode to_node(int value);
TomlNode to_node(std::uint64_t value);
TomlNode to_node(double value);
TomlNode to_node(const std::array<double, 2>& value);
TomlNode to_node(const std::string& value);
TomlNode to_node(const std::vector<std::string>& value);
template <std::same_as<bool> Bool>
TomlNode to_node(Bool value) {
  return {value, {}, {}, {}};
}
template <NamedEnum E>
TomlNode to_node(E value) {
  return to_node(name_of(value));
}
template <NamedEnum E>
TomlNode to_node(const std::vector<E>& values) {
  return to_node(names_of(values));
}

// Reads one table. Each `read` names a known key; finish() refuses all others.
class TableReader {
 public:
  // `path` is how messages name the table, "model" or "" for the document.
  // Throws UserError when `table` is not a table. It must outlive the reader.
  TableReader(const TomlNode& table, std::string path);

  // Overwrites `field` and returns true where the key is present; the field's value before is the
  // default, and serves as the example in messages. Throw UserError for whatever else is there.
  bool read(const char* key, int& field, const Range& range);
  bool read(const char* key, std::uint64_t& field, const Range& range);
  bool read(const char* key, double& field, const Range& range);  // integers too
  bool read(const char* key, std::array<double, 2>& field, const Range& range);
  bool read(const char* key, bool& field);
  bool read(const char* key, std::string& field);
  bool read(const char* key, std::string& field, const OneOf& choices);
  bool read(const char* key, std::vector<std::string>& field);  // one string is a list of it
  bool read(const char* key, std::vector<std::string>& field, const OneOf& choices);
  template <NamedEnum E>
  bool read(const char* key, E& field) {
    std::string name = name_of(field);
    if (!read(key, name, choices<E>())) return false;
    field = value_of<E>(name);
    return true;
  }
  template <NamedEnum E>
  bool read(const char* key, std::vector<E>& field) {
    std::vector<std::string> names = names_of(field);
    if (!read(key, names, choices<E>())) return false;
    field.clear();
    for (const std::string& name : names) field.push_back(value_of<E>(name));
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
  template <typename T, typename... Constraint>
  bool read_value(const char* key, T& field, const Constraint&... constraint);
  std::string full_name(std::string_view key) const;

  const TomlNode& table_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace layerlab
