#include <algorithm>
#include <cassert>

#include "core/toml.h"

namespace layerlab {
namespace {

// The first part of a dotted path and the rest; the rest is empty at the end.
std::pair<std::string_view, std::string_view> split(std::string_view dotted) {
  const std::size_t dot = dotted.find('.');
  if (dot == std::string_view::npos) return {dotted, {}};
  return {dotted.substr(0, dot), dotted.substr(dot + 1)};
}

TomlNode* find_mutable(TomlNode& table, std::string_view key) {
  return const_cast<TomlNode*>(std::as_const(table).find(key));
}

using Leaves = std::vector<std::pair<std::string, TomlNode>>;

void collect_leaves(const TomlNode& table, const std::string& prefix, Leaves& leaves) {
  for (const auto& [key, node] : std::get<TomlNode::Table>(table.value)) {
    if (node.is_table()) {
      collect_leaves(node, prefix + key + ".", leaves);
    } else {
      leaves.emplace_back(prefix + key, node);
    }
  }
}

bool same_tables(const TomlNode& a, const TomlNode& b) {
  const auto& entries = std::get<TomlNode::Table>(a.value);
  if (entries.size() != std::get<TomlNode::Table>(b.value).size()) return false;
  return std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
    const TomlNode* other = b.find(entry.first);
    return other != nullptr && same_value(entry.second, *other);
  });
}

}  // namespace

const TomlNode* TomlNode::find(std::string_view key) const {
  for (const auto& [name, node] : std::get<Table>(value)) {
    if (name == key) return &node;
  }
  return nullptr;
}

const char* TomlNode::kind() const {
  constexpr const char* kKinds[] = {"a table",    "an array", "a string",
                                    "an integer", "a number", "a boolean"};
  static_assert(std::size(kKinds) == std::variant_size_v<decltype(value)>);
  return kKinds[value.index()];
}

const TomlNode* find_path(const TomlNode& root, std::string_view dotted) {
  const TomlNode* node = &root;
  while (node != nullptr && !dotted.empty()) {
    if (!node->is_table()) return nullptr;
    const auto [first, rest] = split(dotted);
    node = node->find(first);
    dotted = rest;
  }
  return node;
}

void set_path(TomlNode& root, std::string_view dotted, TomlNode value) {
  assert(!dotted.empty());
  TomlNode* node = &root;
  for (std::string_view rest = dotted; !rest.empty();) {
    if (!node->is_table()) {
      const std::string parent(dotted.substr(0, dotted.size() - rest.size() - 1));
      throw UserError(value.place, parent + " is " + node->kind() + ", so " + std::string(dotted) +
                                       " cannot be set");
    }
    const auto [first, after] = split(rest);
    TomlNode* child = find_mutable(*node, first);
    if (child == nullptr) {
      auto& table = std::get<TomlNode::Table>(node->value);
      TomlNode empty{TomlNode::Table{}, value.place, value.key_place, value.place};
      child = &table.emplace_back(std::string(first), std::move(empty)).second;
    }
    node = child;
    rest = after;
  }
  *node = std::move(value);
}

void erase_path(TomlNode& root, std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  TomlNode* parent = &root;
  if (dot != std::string_view::npos) {
    parent = const_cast<TomlNode*>(find_path(root, dotted.substr(0, dot)));
    dotted.remove_prefix(dot + 1);
  }
  if (parent == nullptr || !parent->is_table()) return;
  std::erase_if(std::get<TomlNode::Table>(parent->value),
                [&](const auto& entry) { return entry.first == dotted; });
}

std::vector<std::pair<std::string, TomlNode>> leaves(const TomlNode& table) {
  Leaves result;
  collect_leaves(table, "", result);
  return result;
}

std::optional<double> as_number(const TomlNode& node) {
  if (const auto* whole = std::get_if<std::int64_t>(&node.value)) {
    return static_cast<double>(*whole);
  }
  if (const auto* real = std::get_if<double>(&node.value)) return *real;
  return std::nullopt;
}

bool same_value(const TomlNode& a, const TomlNode& b) {
  const std::optional<double> number_a = as_number(a), number_b = as_number(b);
  if (number_a && number_b) return *number_a == *number_b;
  if (a.value.index() != b.value.index()) return false;
  if (a.is_table()) return same_tables(a, b);
  if (const auto* array = std::get_if<TomlNode::Array>(&a.value)) {
    const auto& other = std::get<TomlNode::Array>(b.value);
    return std::equal(array->begin(), array->end(), other.begin(), other.end(), same_value);
  }
  if (const auto* text = std::get_if<std::string>(&a.value)) {
    return *text == std::get<std::string>(b.value);
  }
  return std::get<bool>(a.value) == std::get<bool>(b.value);
}

}  // namespace layerlab
