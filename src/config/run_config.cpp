#include "config/run_config.h"

#include <algorithm>
#include <initializer_list>

#include "config/keys.h"
#include "config/task_catalogue.h"
#include "core/hash.h"
#include "core/table_reader.h"
#include "equation/block_toml.h"
#include "equation/program.h"

namespace layerlab::config {
namespace {

struct Read {
  TableReader& reader;

  template <typename Field, typename... Constraint>
  void operator()(const char* key, Field& field, const char*, const Constraint&... constraint) {
    reader.read(key, field, constraint...);
  }
};

struct Write {
  TomlNode::Table& table;

  template <typename Field, typename... Constraint>
  void operator()(const char* key, const Field& field, const char*, const Constraint&...) {
    table.emplace_back(key, to_node(field));
  }
};

template <typename Section>
void read_section(const TomlNode& root, const char* name, Section& section) {
  const TomlNode* node = root.find(name);
  if (node == nullptr) return;
  TableReader reader(*node, name);
  describe(Read{reader}, section);
  reader.finish();
}

template <typename Section>
TomlNode to_tree(const Section& section) {
  Section copy = section;
  TomlNode::Table table;
  describe(Write{table}, copy);
  return {std::move(table), {}, {}, {}};
}

// Where the first of these keys stands that the user wrote.
Place place_of(const TomlNode& root, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (const TomlNode* node = find_path(root, key)) return node->place;
  }
  return root.place;
}

void read_own_block(const TomlNode& root, const TomlNode& entry, RunConfig& config) {
  const bool chosen = find_path(root, "model.block") != nullptr;
  const std::string& name = chosen ? config.model.block : "custom";
  config.block = equation::read_block(name, entry);
  if (chosen && config.block.name != config.model.block) {
    throw UserError(place_of(root, {"model.block"}),
                    "model.block is \"" + config.model.block + "\", but [block] is named \"" +
                        config.block.name + "\"",
                    "give both the same name");
  }
  const bool shadows = std::ranges::any_of(
      equation::catalogue(), [&](const auto& known) { return known.name == config.block.name; });
  if (shadows && entry.find("name") == nullptr) {
    throw UserError(entry.key_place, "[block] would replace " + name + " of the catalogue",
                    "write another model.block");
  }
  config.model.block = config.block.name;
}

void resolve_probe(const TomlNode& root, ProbeConfig& probe) {
  if (probe.every > 0 && find_path(root, "probe.schedule") == nullptr) {
    probe.schedule = ProbeSchedule::kEvery;
  }
  const bool every = probe.schedule == ProbeSchedule::kEvery;
  if (every && probe.every == 0) {
    throw UserError(place_of(root, {"probe.schedule"}),
                    "probe.schedule = \"every\" needs probe.every", "write for example every = 10");
  }
  if (!every && probe.every > 0) {
    throw UserError(
        place_of(root, {"probe.every"}),
        "probe.every has no meaning with probe.schedule = \"" + name_of(probe.schedule) + "\"",
        "remove one of the two");
  }
}

void check_combinations(const TomlNode& root, const RunConfig& config) {
  const ModelConfig& model = config.model;
  if (model.width % model.heads != 0) {
    throw UserError(place_of(root, {"model.heads", "model.width"}),
                    "model.heads = " + std::to_string(model.heads) +
                        " must divide model.width = " + std::to_string(model.width),
                    "write for example heads = 4, width = 32");
  }
  equation::compile(config.block, sizes_of(model));
  task_shape(config.task, model.kind, place_of(root, {"task.name", "model.kind"}));
}

// What makes two runs the same: spaces and names do not.
RunConfig without_names(RunConfig config) {
  config.model.block.clear();
  config.block.name.clear();
  config.block.source.clear();
  config.block.summary.clear();
  for (equation::Source* source :
       {&config.block.equation, &config.block.start, &config.block.finish}) {
    std::erase_if(source->text, [](unsigned char c) { return c <= ' '; });
  }
  return config;
}

}  // namespace

equation::Sizes sizes_of(const ModelConfig& model) {
  equation::Sizes sizes;
  sizes.depth = model.depth;
  sizes.width = model.width;
  sizes.heads = model.heads;
  sizes.ff = model.ff;
  return sizes;
}

RunConfig read_run_config(const TomlNode& root) {
  RunConfig config;
  check_top_level(root);
  TableReader(root, "").read("seed", config.seed, seed_range());
  read_section(root, "task", config.task);
  read_section(root, "model", config.model);
  read_section(root, "train", config.train);
  read_section(root, "probe", config.probe);
  if (const TomlNode* entry = root.find("block")) {
    read_own_block(root, *entry, config);
  } else {
    config.block = equation::find_block(config.model.block, place_of(root, {"model.block"}));
  }
  resolve_probe(root, config.probe);
  check_combinations(root, config);
  return config;
}

std::vector<std::string> warnings(const RunConfig& config) {
  std::vector<std::string> lines;
  if (config.train.warmup > config.train.steps) {
    lines.push_back("train.warmup = " + std::to_string(config.train.warmup) +
                    " is longer than train.steps = " + std::to_string(config.train.steps) +
                    ": the learning rate never reaches train.lr");
  }
  return lines;
}

TomlNode to_tree(const RunConfig& config) {
  TomlNode::Table root;
  root.emplace_back("seed", to_node(config.seed));
  root.emplace_back("task", to_tree(config.task));
  root.emplace_back("model", to_tree(config.model));
  root.emplace_back("train", to_tree(config.train));
  root.emplace_back("probe", to_tree(config.probe));
  if (!config.block.equation.text.empty()) root.emplace_back("block", to_tree(config.block));
  return {std::move(root), {}, {}, {}};
}

std::string canonical_text(const RunConfig& config) { return to_toml(to_tree(config)); }

std::string cell_id(const RunConfig& config) {
  return hash_hex(canonical_text(without_names(config)));
}

std::string pack_key(const RunConfig& config) {
  RunConfig shared = without_names(config);
  const RunConfig defaults;
  shared.seed = defaults.seed;
  shared.train.lr = defaults.train.lr;
  shared.train.betas = defaults.train.betas;
  shared.train.warmup = defaults.train.warmup;
  shared.train.weight_decay = defaults.train.weight_decay;
  shared.train.clip = defaults.train.clip;
  return hash_hex(canonical_text(shared));
}

}  // namespace layerlab::config
