#include "core/table_reader.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "core/names.h"

namespace layerlab {
namespace {

std::string bound_text(double bound) {
  const bool whole = bound == static_cast<double>(static_cast<std::int64_t>(bound));
  return whole ? std::to_string(static_cast<std::int64_t>(bound)) : to_toml_value(to_node(bound));
}

// Each `take` sets the field and returns true, or returns false where the value is not allowed.
template <std::integral T>
bool take(const TomlNode& node, T& field, const Range& range) {
  const auto* integer = std::get_if<std::int64_t>(&node.value);
  if (integer == nullptr || !range.contains(static_cast<double>(*integer))) return false;
  assert(std::in_range<T>(*integer));  // the range is within the field's type
  field = static_cast<T>(*integer);
  return true;
}

bool take(const TomlNode& node, double& field, const Range& range) {
  const std::optional<double> number = as_number(node);
  if (!number || !range.contains(*number)) return false;
  field = *number;
  return true;
}

bool take(const TomlNode& node, std::array<double, 2>& field, const Range& range) {
  const auto* array = std::get_if<TomlNode::Array>(&node.value);
  return array != nullptr && array->size() == 2 && take((*array)[0], field[0], range) &&
         take((*array)[1], field[1], range);
}

bool take(const TomlNode& node, bool& field) {
  const auto* value = std::get_if<bool>(&node.value);
  if (value == nullptr) return false;
  field = *value;
  return true;
}

bool take(const TomlNode& node, std::string& field) {
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr) return false;
  field = *text;
  return true;
}

bool take(const TomlNode& node, std::vector<std::string>& field) {
  const auto* array = std::get_if<TomlNode::Array>(&node.value);
  std::vector<std::string> list(array == nullptr ? 1 : array->size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!take(array == nullptr ? node : (*array)[i], list[i])) return false;
  }
  field = std::move(list);
  return true;
}

bool take(const TomlNode& node, std::string& field, const OneOf& choices) {
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr || std::ranges::find(choices.names, *text) == choices.names.end()) {
    return false;
  }
  field = *text;
  return true;
}

bool take(const TomlNode& node, std::vector<std::string>& field, const OneOf& choices) {
  std::vector<std::string> list;
  const auto known = [&](const std::string& name) {
    return std::ranges::find(choices.names, name) != choices.names.end();
  };
  if (!take(node, list) || !std::ranges::all_of(list, known)) return false;
  field = std::move(list);
  return true;
}

// "did you mean 'encoder'?" where a name is near, else an example.
std::string remedy(const TomlNode& got, const char* key, const TomlNode& example,
                   const OneOf& choices = {}) {
  const auto* array = std::get_if<TomlNode::Array>(&got.value);
  for (const TomlNode& node : array == nullptr ? TomlNode::Array{got} : *array) {
    const auto* text = std::get_if<std::string>(&node.value);
    if (text == nullptr || std::ranges::find(choices.names, *text) != choices.names.end()) continue;
    const std::string near = nearest(*text, choices.names);
    if (!near.empty()) return "did you mean '" + near + "'?";
  }
  const auto is_empty = [&](const auto* value) { return value != nullptr && value->empty(); };
  if (is_empty(std::get_if<std::string>(&example.value)) ||
      is_empty(std::get_if<TomlNode::Array>(&example.value))) {
    return {};
  }
  return std::string("write for example ") + key + " = " + to_toml_value(example);
}

std::string got_text(const TomlNode& node) {
  return node.is_table() ? node.kind() : to_toml_value(node);
}

}  // namespace

bool Range::contains(double value) const {
  return (low_included ? value >= low : value > low) &&
         (high_included ? value <= high : value < high);
}

std::string Range::text() const {
  const bool bounded = high < std::numeric_limits<double>::infinity();
  if (!bounded) return (low_included ? "of at least " : "above ") + bound_text(low);
  return "from " + bound_text(low) + " to " + (high_included ? "" : "below ") + bound_text(high);
}

Range from_to(double low, double high) { return {low, high}; }
Range from_below(double low, double high) { return {low, high, true, false}; }
Range at_least(double low) { return {.low = low, .high_included = false}; }
Range above(double low) { return {.low = low, .low_included = false, .high_included = false}; }

std::string allowed(int, const Range& range) { return "an integer " + range.text(); }
std::string allowed(std::uint64_t, const Range& range) { return "an integer " + range.text(); }
std::string allowed(double, const Range& range) { return "a number " + range.text(); }
std::string allowed(const std::array<double, 2>&, const Range& range) {
  return "two numbers " + range.text();
}
std::string allowed(const std::string&) { return "a string"; }
std::string allowed(const std::string&, const OneOf& choices) {
  std::string text = "one of";
  for (const std::string& name : choices.names) {
    text += (&name == &choices.names.front() ? " \"" : ", \"") + name + "\"";
  }
  return text;
}

std::string allowed(const std::vector<std::string>&) { return "a list of strings"; }
std::string allowed(const std::vector<std::string>&, const OneOf& choices) {
  return "a list: " + allowed(std::string(), choices);
}

TomlNode to_node(int value) { return {std::int64_t{value}, {}, {}, {}}; }
TomlNode to_node(std::uint64_t value) { return {static_cast<std::int64_t>(value), {}, {}, {}}; }
TomlNode to_node(double value) { return {value, {}, {}, {}}; }
TomlNode to_node(const std::array<double, 2>& value) {
  return {TomlNode::Array{to_node(value[0]), to_node(value[1])}, {}, {}, {}};
}
TomlNode to_node(const std::string& value) { return {value, {}, {}, {}}; }
TomlNode to_node(const std::vector<std::string>& value) {
  TomlNode::Array array;
  for (const std::string& element : value) array.push_back(to_node(element));
  return {std::move(array), {}, {}, {}};
}

TableReader::TableReader(const TomlNode& table, std::string path)
    : table_(table), path_(std::move(path)) {
  if (table.is_table()) return;
  throw UserError(table.place, path_ + " must be a table, got " + got_text(table),
                  "write [" + path_ + "] and its keys below");
}

std::string TableReader::full_name(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

const TomlNode* TableReader::child(const char* key) {
  known_.emplace_back(key);
  return table_.find(key);
}

template <typename T, typename... Constraint>
bool TableReader::read_value(const char* key, T& field, const Constraint&... constraint) {
  const TomlNode* node = child(key);
  if (node == nullptr) return false;
  const TomlNode example = to_node(field);
  if (take(*node, field, constraint...)) return true;
  std::string help;
  if constexpr ((std::same_as<Constraint, OneOf> || ...)) {
    help = remedy(*node, key, example, constraint...);
  } else {
    help = remedy(*node, key, example);
  }
  throw UserError(
      node->place,
      full_name(key) + " must be " + allowed(field, constraint...) + ", got " + got_text(*node),
      help);
}

bool TableReader::read(const char* key, int& field, const Range& range) {
  return read_value(key, field, range);
}
bool TableReader::read(const char* key, std::uint64_t& field, const Range& range) {
  return read_value(key, field, range);
}
bool TableReader::read(const char* key, double& field, const Range& range) {
  return read_value(key, field, range);
}
bool TableReader::read(const char* key, std::array<double, 2>& field, const Range& range) {
  return read_value(key, field, range);
}
bool TableReader::read(const char* key, bool& field) { return read_value(key, field); }
bool TableReader::read(const char* key, std::string& field) { return read_value(key, field); }
bool TableReader::read(const char* key, std::string& field, const OneOf& choices) {
  return read_value(key, field, choices);
}

bool TableReader::read(const char* key, std::vector<std::string>& field) {
  return read_value(key, field);
}
bool TableReader::read(const char* key, std::vector<std::string>& field, const OneOf& choices) {
  return read_value(key, field, choices);
}

void TableReader::require(const char* key, const char* example) {
  if (table_.find(key) != nullptr) return;
  for (const auto& [name, node] : std::get<TomlNode::Table>(table_.value)) {
    const bool known = std::ranges::find(known_, name) != known_.end();
    if (!known && !nearest(name, {key}).empty()) {  // misspelt rather than missing
      throw UserError(node.key_place, "unknown key " + full_name(name), suggestion(name, {key}));
    }
  }
  throw UserError(table_.key_place, full_name(key) + " is missing",
                  std::string("write for example ") + key + " = " + example);
}

void TableReader::finish() const {
  for (const auto& [key, node] : std::get<TomlNode::Table>(table_.value)) {
    if (std::ranges::find(known_, key) != known_.end()) continue;
    throw UserError(node.key_place, "unknown key " + full_name(key), suggestion(key, known_));
  }
}

}  // namespace layerlab
