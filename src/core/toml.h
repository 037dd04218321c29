// TOML as a tree that remembers where each value stands, so that every later complaint can name
// file, line and column. toml++ parses, and is seen by toml.cpp and toml_write.cpp only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.h"

namespace layerlab {

struct TomlNode {
  using Array = std::vector<TomlNode>;
  using Table = std::vector<std::pair<std::string, TomlNode>>;  // in the file's order

  std::variant<Table, Array, std::string, std::int64_t, double, bool> value;
  Place place;       // of the value
  Place key_place;   // of its key; equal to `place` where it has none
  Place text_place;  // of a string: its first character, inside the quotes

  bool is_table() const { return std::holds_alternative<Table>(value); }
  // The value under `key`, or null. REQUIRES: is_table().
  const TomlNode* find(std::string_view key) const;
  // "a table", "an integer", …: what it is, for messages.
  const char* kind() const;
};

// Throw UserError with place and remedy when the file cannot be read, is not TOML, or nests tables
// and arrays more than 64 deep. The time they take is linear in the length of the text.
TomlNode parse_toml_file(const std::filesystem::path& path);
TomlNode parse_toml_text(std::string_view text, const std::string& name);

// `text` as one TOML value: 1e-2, true, [1, 2], "pre_ln"; a bare word is a string. Every node of
// it stands at `place`.
TomlNode parse_toml_value(std::string_view text, const Place& place);

// The value under a dotted path such as "model.depth", or null.
const TomlNode* find_path(const TomlNode& root, std::string_view dotted);

// Sets the value under a dotted path, making the tables on the way.
// Throws UserError (at the new value's place) where the path runs through something not a table,
// or has more than 64 parts.
void set_path(TomlNode& root, std::string_view dotted, TomlNode value);

// Removes the value under a dotted path, if it is there.
void erase_path(TomlNode& root, std::string_view dotted);

// Everything below `table` that is not a table itself, with its dotted path.
std::vector<std::pair<std::string, TomlNode>> leaves(const TomlNode& table);

// The number that an integer or a float is; nothing for what is neither.
std::optional<double> as_number(const TomlNode& node);

// Equal contents, wherever they stand. An integer equals the float of the same value; tables are
// compared regardless of their order.
bool same_value(const TomlNode& a, const TomlNode& b);

// A TOML document with the same contents; numbers survive the round trip exactly.
// REQUIRES: root.is_table().
std::string to_toml(const TomlNode& root);

// One value as it would be written after "key = ", tables and arrays inline.
std::string to_toml_value(const TomlNode& node);

}  // namespace layerlab
