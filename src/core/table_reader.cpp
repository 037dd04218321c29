#include "core/table_reader.h"

#include "core/names.h"

namespace layerlab {
namespace {

std::string bound_text(double bound) {
  const bool whole = bound == static_cast<double>(static_cast<std::int64_t>(bound));
  return to_toml_value(whole ? to_node(static_cast<std::int64_t>(bound)) : to_node(bound));
}

bool contains(const OneOf& choices, const std::string& name) {
  return std::ranges::find(choices.names, name) != choices.names.end();
}

bool fits_one(const FieldType& type, const TomlNode& node) {
  const auto* const text = std::get_if<std::string>(&node.value);
  const auto number = as_number(node);
  switch (type.value) {
    case FieldType::Value::kBoolean:
      return std::holds_alternative<bool>(node.value);
    case FieldType::Value::kInteger:
      return std::holds_alternative<std::int64_t>(node.value) && type.range.contains(*number);
    case FieldType::Value::kNumber:
      return number && type.range.contains(*number);
    case FieldType::Value::kString:
      return text != nullptr && (!type.choices || contains(*type.choices, *text));
  }
  return false;
}

// "did you mean 'encoder'?" where a name is near, else an example.
std::string remedy(const TomlNode& got, const char* key, const FieldType& type,
                   const TomlNode& example) {
  const auto* const array = std::get_if<TomlNode::Array>(&got.value);
  const OneOf choices = type.choices.value_or(OneOf{});
  for (const TomlNode& node : array == nullptr ? TomlNode::Array{got} : *array) {
    const auto* const text = std::get_if<std::string>(&node.value);
    if (text == nullptr || contains(choices, *text)) continue;
    const std::string near = nearest(*text, choices.names);
    if (!near.empty()) return "did you mean '" + near + "'?";
  }
  const std::string text = to_toml_value(example);
  const bool says_nothing = text == "\"\"" || text == "[]";
  return says_nothing ? "" : std::string("write for example ") + key + " = " + text;
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

bool FieldType::fits(const TomlNode& node) const {
  const auto* const array = std::get_if<TomlNode::Array>(&node.value);
  const auto one = [this](const TomlNode& element) { return fits_one(*this, element); };
  if (array == nullptr) return count != Count::kTwo && one(node);
  if (count == Count::kOne || (count == Count::kTwo && array->size() != 2)) return false;
  return std::ranges::all_of(*array, one);
}

std::string FieldType::text() const {
  const bool one = count == Count::kOne;
  if (value == Value::kBoolean) return "true or false";
  if (value == Value::kInteger) return "an integer " + range.text();
  if (value == Value::kNumber) return (one ? "a number " : "two numbers ") + range.text();
  if (!choices) return one ? "a string" : "a list of strings";
  std::string names;
  for (const std::string& name : choices->names) {
    names += (names.empty() ? " \"" : ", \"") + name + "\"";
  }
  return (one ? "one of" : "a list: one of") + names;
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

void TableReader::refuse(const TomlNode& node, const char* key, const FieldType& type,
                         const TomlNode& example) const {
  throw UserError(node.place,
                  full_name(key) + " must be " + type.text() + ", got " + got_text(node),
                  remedy(node, key, type, example));
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
