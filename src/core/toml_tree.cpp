#include <algorithm>
#include <cassert>

#include "core/toml.h"

namespace layerlab {
namespace {

constexpr std::ptrdiff_t kMostLevels = 64;  // as in a document

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
  if (std::ranges::count(dotted, '.') >= kMostLevels) {
    throw UserError(value.place, std::string(dotted) + " has more than 64 parts");
  }
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
      const TomlNode empty{TomlNode::Table{}, value.place, value.key_place, value.place};
      child = &table.emplace_back(std::string(first), empty).second;
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
  return std::visit(
      [&b](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        const T& other = std::get<T>(b.value);
        if constexpr (std::is_same_v<T, TomlNode::Table>) {
          return value.size() == other.size() && std::ranges::all_of(value, [&](const auto& entry) {
                   const TomlNode* const same_key = b.find(entry.first);
                   return same_key != nullptr && same_value(entry.second, *same_key);
                 });
        } else if constexpr (std::is_same_v<T, TomlNode::Array>) {
          return std::ranges::equal(value, other, same_value);
        } else {
          return value == other;
        }
      },
      a.value);
}

}  // namespace layerlab
