#include "equation/block_toml.h"

#include <algorithm>
#include <iterator>

#include "core/table_reader.h"
#include "equation/lexer.h"
#include "equation/shape_names.h"

namespace layerlab::equation {
namespace {

Source read_source(const TomlNode& node, const std::string& path, const char* what) {
  if (const auto* text = std::get_if<std::string>(&node.value)) return {*text, node.text_place};
  const bool number = std::holds_alternative<double>(node.value) ||
                      std::holds_alternative<std::int64_t>(node.value);
  if (number) return {to_toml_value(node), node.place};
  throw UserError(node.place, path + " must be " + what + ", got " + node.kind());
}

void require_table(const TomlNode& node, const std::string& path, const std::string& example) {
  if (node.is_table()) return;
  throw UserError(node.place, path + " must be a table, got " + node.kind(),
                  "write for example " + example);
}

// Names that equations can write.
void require_word(const std::string& name, const Place& place) {
  if (is_name(name)) return;
  throw UserError(place, "expected a name of letters, digits and _, got \"" + name + "\"");
}

std::vector<NamedScalar> read_scalars(const TomlNode& node, const std::string& path, bool dotted) {
  require_table(node, path, dotted ? "{ v = \"(8*L)^(-1/4)\" }" : "{ alpha = \"(2*L)^(1/4)\" }");
  std::vector<NamedScalar> result;
  for (const auto& [name, value] : dotted ? leaves(node) : std::get<TomlNode::Table>(node.value)) {
    if (!dotted) require_word(name, value.key_place);
    result.push_back({name, read_source(value, path + "." + name, "a number or an expression"),
                      value.key_place});
  }
  return result;
}

std::vector<Source> read_shape(const TomlNode& node, const std::string& path) {
  std::vector<Source> sizes;
  if (const auto* array = std::get_if<TomlNode::Array>(&node.value)) {
    for (const TomlNode& size : *array) {
      sizes.push_back(read_source(size, path, "sizes, numbers or expressions"));
    }
    return sizes;
  }
  const auto* name = std::get_if<std::string>(&node.value);
  const auto shape = std::ranges::find_if(
      kNamedShapes, [&](const NamedShape& s) { return name != nullptr && *name == s.name; });
  if (shape == std::end(kNamedShapes)) {
    throw UserError(node.place,
                    path + " must be \"scalar\", \"vector\", \"head\" or a list of sizes, got " +
                        (name != nullptr ? to_toml_value(node) : node.kind()),
                    "write for example shape = [\"n\", \"D\"]");
  }
  for (const std::string& size : shape->sizes) sizes.push_back({size, node.text_place});
  return sizes;
}

std::vector<ParameterEntry> read_parameters(const TomlNode& node, const std::string& path) {
  const std::string example = "{ g = { shape = \"vector\", init = \"1.0\" } }";
  require_table(node, path, example);
  std::vector<ParameterEntry> result;
  for (const auto& [name, value] : std::get<TomlNode::Table>(node.value)) {
    require_word(name, value.key_place);
    const std::string own = path + "." + name;
    require_table(value, own, example);
    TableReader reader(value, own);
    ParameterEntry entry;
    entry.name = name;
    entry.place = value.key_place;
    if (const TomlNode* shape = reader.child("shape")) {
      entry.shape = read_shape(*shape, own + ".shape");
    }
    reader.read("scope", entry.scope);
    reader.require("init", "\"1.0\"");
    entry.init = read_source(*reader.child("init"), own + ".init", "a number or an expression");
    reader.read("profiled", entry.profiled);
    if (entry.profiled && entry.scope != Scope::kSublayer) {
      throw UserError(reader.child("profiled")->place,
                      own + ".profiled expects scope = \"sublayer\"",
                      "the pass finds one value for each sub-layer");
    }
    reader.finish();
    result.push_back(std::move(entry));
  }
  return result;
}

std::shared_ptr<const Block> read_layer_block(const TomlNode& node, const std::string& path,
                                              const FindBlock& find) {
  std::shared_ptr<const Block> block;
  if (const auto* name = std::get_if<std::string>(&node.value)) {
    block = std::make_shared<Block>(find(*name, node.place));
  } else if (node.is_table()) {
    block = std::make_shared<Block>(read_block("", node, find));
  } else {
    throw UserError(node.place, path + " must be a block's name or a table, got " + node.kind());
  }
  if (!block->layers.empty()) {
    throw UserError(node.place, "expected a block with an equation, and this is itself a mix");
  }
  return block;
}

std::vector<Layers> read_layers(const TomlNode& node, const std::string& path,
                                const FindBlock& find) {
  const auto* array = std::get_if<TomlNode::Array>(&node.value);
  if (array == nullptr || array->empty()) {
    throw UserError(node.place, path + " must be a list of blocks",
                    "write for example [{ block = \"post_ln\", count = 1 }, "
                    "{ block = \"pre_ln\" }]");
  }
  std::vector<Layers> result;
  for (const TomlNode& element : *array) {
    require_table(element, path, "{ block = \"post_ln\", count = \"floor(L/4)\" }");
    TableReader reader(element, path);
    reader.require("block", "\"post_ln\"");
    Layers layers;
    layers.block = read_layer_block(*reader.child("block"), path + ".block", find);
    if (const TomlNode* count = reader.child("count")) {
      layers.count = read_source(*count, path + ".count", "a number or an expression");
    } else {
      layers.count.place = element.place;
    }
    reader.finish();
    result.push_back(std::move(layers));
  }
  return result;
}

// The two ways to say what a block does exclude each other, also where one table overrides another.
void read_mathematics(TableReader& reader, const TomlNode& entry, const std::string& path,
                      const FindBlock& find, Block& block) {
  const auto text = [&](const char* key, Source& source) {
    std::string read;
    if (reader.read(key, read)) source = {read, entry.find(key)->text_place};
  };
  text("equation", block.equation);
  const TomlNode* layers = reader.child("layers");
  if (layers != nullptr && entry.find("equation") != nullptr) {
    throw UserError(layers->key_place, "expected either equation or layers", "remove one of them");
  }
  if (layers != nullptr) {
    block.layers = read_layers(*layers, path + ".layers", find);
    block.equation = {};
    block.start = block.layers.front().block->start;
    block.finish = block.layers.back().block->finish;
  } else if (entry.find("equation") != nullptr) {
    block.layers.clear();
  }
  text("start", block.start);
  text("finish", block.finish);
  if (const TomlNode* node = reader.child("const")) {
    block.constants = read_scalars(*node, path + ".const", /*dotted=*/false);
  }
  if (const TomlNode* node = reader.child("gain")) {
    block.gain = read_scalars(*node, path + ".gain", /*dotted=*/true);
  }
  if (const TomlNode* node = reader.child("init")) {
    block.deviation = read_scalars(*node, path + ".init", /*dotted=*/true);
  }
  if (const TomlNode* node = reader.child("param")) {
    block.parameters = read_parameters(*node, path + ".param");
  }
  if (block.layers.empty()) return;
  for (const char* key : {"const", "gain", "init", "param"}) {
    if (const TomlNode* node = entry.find(key)) {
      throw UserError(node->key_place, std::string("expected no ") + key + " beside layers",
                      "write it in the blocks that layers names");
    }
  }
}

std::shared_ptr<const Block> read_side(TableReader& reader, const char* key, const Block& base,
                                       const FindBlock& find) {
  const TomlNode* entry = reader.child(key);
  if (entry == nullptr) return nullptr;
  const std::string path = std::string("block.") + key;
  TableReader side(*entry, path);
  auto block = std::make_shared<Block>(base);
  block->encoder = block->decoder = nullptr;
  read_mathematics(side, *entry, path, find, *block);
  side.finish();
  return block;
}

}  // namespace

Block read_block(const std::string& name, const TomlNode& entry, const FindBlock& find) {
  TableReader reader(entry, "block");
  if (entry.find("layers") == nullptr) reader.require("equation", "\"x + F(LN(x))\"");
  Block block;
  block.name = name;
  reader.read("name", block.name);
  reader.read("source", block.source);
  reader.read("summary", block.summary);
  read_mathematics(reader, entry, "block", find, block);
  const auto encoder = read_side(reader, "encoder", block, find);
  block.decoder = read_side(reader, "decoder", block, find);
  block.encoder = encoder;
  reader.finish();
  return block;
}

std::vector<Block> read_blocks(const TomlNode& file) {
  std::vector<Block> blocks;
  const FindBlock above = [&](const std::string& name, const Place& place) -> const Block& {
    return find_in(blocks, name, place);
  };
  for (const auto& [name, node] : std::get<TomlNode::Table>(file.value)) {
    blocks.push_back(read_block(name, node, above));
  }
  return blocks;
}

}  // namespace layerlab::equation
