#include "config/run_config_toml.h"

#include <algorithm>

#include "config/keys.h"
#include "core/table_reader.h"
#include "equation/block_toml.h"
#include "tasks/catalogue.h"

namespace layerlab::config {
namespace {

struct Read {
  TableReader& reader;
  const TomlNode& table;

  template <typename Field, typename... Constraint>
  void operator()(const char* key, Field& field, const char*, const Constraint&... constraint) {
    reader.read(key, field, constraint...);
  }
  void operator()(const char* key, equation::Source& source, const char*) {
    if (reader.read(key, source.text)) source.place = table.find(key)->text_place;
  }
};

struct Write {
  TomlNode::Table& table;

  template <typename Field, typename... Constraint>
  void operator()(const char* key, const Field& field, const char*, const Constraint&...) {
    table.emplace_back(key, to_node(field));
  }
  void operator()(const char* key, const equation::Source& source, const char*) {
    table.emplace_back(key, to_node(source.text));
  }
};

template <typename Section>
void read_section(const TomlNode& root, const char* name, Section& section) {
  const TomlNode* node = root.find(name);
  if (node == nullptr) return;
  TableReader reader(*node, name);
  describe(Read{reader, *node}, section);
  reader.finish();
}

template <typename Section>
TomlNode section_tree(Section& section) {
  TomlNode::Table table;
  describe(Write{table}, section);
  return {std::move(table), {}, {}, {}};
}
TomlNode section_tree(equation::Block& block) { return equation::to_tree(block); }

void read_own_block(const TomlNode& root, const TomlNode& entry, RunConfig& config) {
  const bool chosen = find_path(root, "model.block") != nullptr;
  const std::string& name = chosen ? config.model.block : "custom";
  const auto in_catalogue = [](const std::string& block) {
    return std::ranges::find(equation::catalogue(), block, &equation::Block::name) !=
           equation::catalogue().end();
  };
  if (entry.find("equation") == nullptr && entry.find("layers") == nullptr && in_catalogue(name)) {
    throw UserError(
        place_of(root, {"model.block"}),
        "[block] cannot change single keys of " + name + " of the catalogue",
        "copy its lines from models/blocks.toml into [block], with a model.block of your own");
  }
  config.block = equation::read_block(name, entry);
  if (chosen && config.block.name != config.model.block) {
    throw UserError(place_of(root, {"model.block"}),
                    "model.block is \"" + config.model.block + "\", but [block] is named \"" +
                        config.block.name + "\"",
                    "give both the same name");
  }
  if (in_catalogue(config.block.name) && entry.find("name") == nullptr) {
    throw UserError(entry.key_place, "[block] would replace " + name + " of the catalogue",
                    "write another model.block");
  }
  config.model.block = config.block.name;
}

RunConfig read_all_but_block(const TomlNode& root) {
  RunConfig config;
  TableReader(root, "").read("seed", config.seed, seed_range());
  read_section(root, "task", config.task);
  ModelKeys model{config.model, config.block.finish};
  read_section(root, "model", model);
  read_section(root, "train", config.train);
  read_section(root, "probe", config.probe);
  return config;
}

}  // namespace

RunConfig read_run_config(const TomlNode& root) {
  check_top_level(root);
  RunConfig config = read_all_but_block(root);
  const equation::Source finish = config.block.finish;
  if (const TomlNode* entry = root.find("block")) {
    read_own_block(root, *entry, config);
  } else {
    config.block = equation::find_block(config.model.block, place_of(root, {"model.block"}));
  }
  if (find_path(root, "model.finish") != nullptr) config.block.finish = finish;
  const bool every_alone = config.probe.every > 0 && find_path(root, "probe.schedule") == nullptr;
  if (every_alone) config.probe.schedule = ProbeSchedule::kEvery;
  return config;
}

void check_value(const std::string& key, const TomlNode& value) {
  TomlNode root{TomlNode::Table{}, {}, {}, {}};
  set_path(root, key, value);
  read_all_but_block(root);
}

TomlNode to_tree(const RunConfig& config) {
  RunConfig copy = config;
  TomlNode::Table root;
  root.emplace_back("seed", to_node(copy.seed));
  describe_sections(
      [&](const char* name, auto& section) { root.emplace_back(name, section_tree(section)); },
      copy);
  return {std::move(root), {}, {}, {}};
}

TomlNode canonical_tree(const RunConfig& config) {
  TomlNode tree = to_tree(config);
  erase_path(tree, "model.finish");  // the block says it
  const tasks::CatalogueEntry task = tasks::find_task(config.task.name);
  for (const auto& [key, value] : leaves(*tree.find("task"))) {
    if (!task.uses(key)) erase_path(tree, "task." + key);
  }
  return tree;
}

std::string canonical_text(const RunConfig& config) { return to_toml(canonical_tree(config)); }

TomlNode differences(const TomlNode& tree, const TomlNode& usual) {
  TomlNode::Table result;
  for (const auto& [key, before] : std::get<TomlNode::Table>(usual.value)) {
    const TomlNode* const value = tree.find(key);
    if (value == nullptr || same_value(*value, before)) continue;
    const bool inside = value->is_table() && before.is_table();
    TomlNode difference = inside ? differences(*value, before) : *value;
    // A table that only lacks keys does not differ.
    if (inside && std::get<TomlNode::Table>(difference.value).empty()) continue;
    result.emplace_back(key, std::move(difference));
  }
  for (const auto& [key, value] : std::get<TomlNode::Table>(tree.value)) {
    if (usual.find(key) == nullptr) result.emplace_back(key, value);
  }
  return {std::move(result), {}, {}, {}};
}

}  // namespace layerlab::config
