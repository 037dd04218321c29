// The part of toml.h that writes.

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "core/toml.h"

namespace layerlab {
namespace {

std::string quoted(const std::string& text) {
  const toml::value<std::string> value{text};
  std::ostringstream out;
  out << toml::toml_formatter(value, toml::format_flags::allow_unicode_strings);
  return out.str();
}

std::string key_text(const std::string& key) {
  const bool bare = !key.empty() && std::ranges::all_of(key, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '_' || c == '-');
  });
  return bare ? key : quoted(key);
}

// The shortest digits that read back as the same double, with a mark that it is not an integer.
std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  std::string text(digits, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

bool is_array_of_tables(const TomlNode& node) {
  const auto* array = std::get_if<TomlNode::Array>(&node.value);
  return array != nullptr && !array->empty() && std::ranges::all_of(*array, &TomlNode::is_table);
}

void write_keys(const TomlNode& table, bool tables_inline, std::string& out) {
  for (const auto& [key, node] : std::get<TomlNode::Table>(table.value)) {
    if (!tables_inline && (node.is_table() || is_array_of_tables(node))) continue;
    out += key_text(key) + " = " + to_toml_value(node) + "\n";
  }
}

void write_header(const std::string& header, std::string& out) {
  if (!out.empty()) out += '\n';
  out += header + "\n";
}

void write_table(const TomlNode& table, const std::string& path, std::string& out) {
  write_keys(table, /*tables_inline=*/false, out);
  for (const auto& [key, node] : std::get<TomlNode::Table>(table.value)) {
    const std::string name = path + key_text(key);
    if (node.is_table()) {
      write_header("[" + name + "]", out);
      write_table(node, name + ".", out);
    } else if (is_array_of_tables(node)) {
      for (const TomlNode& element : std::get<TomlNode::Array>(node.value)) {
        write_header("[[" + name + "]]", out);
        write_keys(element, /*tables_inline=*/true, out);
      }
    }
  }
}

}  // namespace

std::string to_toml_value(const TomlNode& node) {
  if (const auto* text = std::get_if<std::string>(&node.value)) return quoted(*text);
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&node.value)) return number_text(*number);
  if (const auto* boolean = std::get_if<bool>(&node.value)) return *boolean ? "true" : "false";
  std::string inside;
  if (const auto* array = std::get_if<TomlNode::Array>(&node.value)) {
    for (const TomlNode& element : *array) {
      inside += (inside.empty() ? "" : ", ") + to_toml_value(element);
    }
    return "[" + inside + "]";
  }
  for (const auto& [key, child] : std::get<TomlNode::Table>(node.value)) {
    inside += (inside.empty() ? " " : ", ") + key_text(key) + " = " + to_toml_value(child);
  }
  return inside.empty() ? "{}" : "{" + inside + " }";
}

std::string to_toml(const TomlNode& root) {
  std::string out;
  write_table(root, "", out);
  return out;
}

}  // namespace layerlab
