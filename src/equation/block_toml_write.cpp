// The part of block_toml.h that writes.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "core/table_reader.h"
#include "equation/block_toml.h"
#include "equation/shape_names.h"

namespace layerlab::equation {
namespace {

TomlNode table_node(TomlNode::Table table) { return {std::move(table), {}, {}, {}}; }
TomlNode array_node(TomlNode::Array array) { return {std::move(array), {}, {}, {}}; }

// Numbers as numbers, so that grids and claims can compare them.
TomlNode source_node(const Source& source) {
  const std::string& text = source.text;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number =
      error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  return is_number ? to_node(number) : to_node(text);
}

TomlNode shape_node(const std::vector<Source>& shape) {
  std::vector<std::string> sizes;
  std::ranges::transform(shape, std::back_inserter(sizes), &Source::text);
  for (const NamedShape& named : kNamedShapes) {
    if (named.sizes == sizes) return to_node(std::string(named.name));
  }
  TomlNode::Array array;
  std::ranges::transform(shape, std::back_inserter(array), source_node);
  return array_node(std::move(array));
}

TomlNode differences(const TomlNode& base, const TomlNode& side) {
  TomlNode::Table table;
  for (const auto& [key, node] : std::get<TomlNode::Table>(side.value)) {
    const TomlNode* usual = base.find(key);
    if (usual == nullptr || !same_value(*usual, node)) table.emplace_back(key, node);
  }
  for (const char* key : {"const", "gain", "init", "param"}) {
    if (base.find(key) != nullptr && side.find(key) == nullptr) {
      table.emplace_back(key, table_node({}));
    }
  }
  return table_node(std::move(table));
}

struct Write {
  const Block& block;
  TomlNode::Table& table;

  void operator()(const char* key, const std::string& field, const char*) {
    table.emplace_back(key, to_node(field));
  }
  void operator()(const char* key, const Source& source, const char*) {
    const bool stands_for_itself = &source != &block.equation || block.layers.empty();
    if (stands_for_itself) table.emplace_back(key, to_node(source.text));
  }
  void operator()(const char* key, const std::vector<NamedScalar>& scalars, const char*) {
    if (scalars.empty()) return;
    TomlNode inside = table_node({});
    for (const NamedScalar& scalar : scalars) {  // "attn.v" is v in a table attn
      set_path(inside, scalar.name, source_node(scalar.value));
    }
    table.emplace_back(key, std::move(inside));
  }
  void operator()(const char* key, const std::vector<ParameterEntry>& parameters, const char*) {
    TomlNode::Table inside;
    for (const ParameterEntry& entry : parameters) {
      TomlNode::Table keys = {{"shape", shape_node(entry.shape)},
                              {"scope", to_node(entry.scope)},
                              {"init", source_node(entry.init)}};
      if (entry.profiled) keys.emplace_back("profiled", to_node(true));
      inside.emplace_back(entry.name, table_node(std::move(keys)));
    }
    if (!inside.empty()) table.emplace_back(key, table_node(std::move(inside)));
  }
  void operator()(const char* key, const std::vector<Layers>& layers, const char*) {
    TomlNode::Array inside;
    for (const Layers& some : layers) {
      TomlNode::Table element = {{"block", to_tree(*some.block)}};
      if (!some.count.text.empty()) element.emplace_back("count", source_node(some.count));
      inside.push_back(table_node(std::move(element)));
    }
    if (!inside.empty()) table.emplace_back(key, array_node(std::move(inside)));
  }
  void operator()(const char* key, const std::shared_ptr<const Block>& side, const char*) {
    if (side == nullptr) return;
    Block base = block;
    base.encoder = base.decoder = nullptr;
    table.emplace_back(key, differences(to_tree(base), to_tree(*side)));
  }
};

}  // namespace

TomlNode to_tree(const Block& block) {
  Block copy = block;
  TomlNode::Table table;
  describe(Write{copy, table}, copy);
  return table_node(std::move(table));
}

}  // namespace layerlab::equation
