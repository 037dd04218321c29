#include "equation/block_toml.h"

#include "core/table_reader.h"

namespace layerlab::equation {
namespace {

struct Read {
  TableReader& reader;
  const TomlNode& entry;

  void operator()(const char* key, std::string& field, const char*) { reader.read(key, field); }
  void operator()(const char* key, Source& source, const char*) {
    if (reader.read(key, source.text)) source.place = entry.find(key)->text_place;
  }
};

struct Write {
  TomlNode::Table& table;

  void operator()(const char* key, const std::string& field, const char*) {
    table.emplace_back(key, to_node(field));
  }
  void operator()(const char* key, const Source& source, const char*) {
    table.emplace_back(key, to_node(source.text));
  }
};

}  // namespace

Block read_block(const std::string& name, const TomlNode& entry) {
  TableReader reader(entry, "block");
  reader.require("equation", "\"x + F(LN(x))\"");
  Block block;
  block.name = name;
  describe(Read{reader, entry}, block);
  reader.finish();
  return block;
}

TomlNode to_tree(const Block& block) {
  Block copy = block;
  TomlNode::Table table;
  describe(Write{table}, copy);
  return {std::move(table), {}, {}, {}};
}

}  // namespace layerlab::equation
