#include "config/run_config.h"

#include <algorithm>

#include "config/combinations.h"
#include "config/keys.h"
#include "core/hash.h"
#include "core/mapped_file.h"
#include "core/table_reader.h"
#include "equation/block_toml.h"
#include "equation/program.h"
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

// Whether the catalogue has another block under this one's name. What follows the last block is
// not compared: the model may replace it.
bool shadows_catalogue(const equation::Block& block) {
  for (const equation::Block& known : equation::catalogue()) {
    if (known.name != block.name) continue;
    equation::Block same_finish = known;
    same_finish.finish = block.finish;
    return !same_value(equation::to_tree(equation::essence(block)),
                       equation::to_tree(equation::essence(same_finish)));
  }
  return false;
}

// What `tree` says beyond `defaults`.
TomlNode differences(const TomlNode& tree, const TomlNode& defaults) {
  TomlNode::Table result;
  for (const auto& [key, value] : std::get<TomlNode::Table>(tree.value)) {
    const TomlNode* known = defaults.find(key);
    if (known != nullptr && same_value(value, *known)) continue;
    const bool inside = known != nullptr && value.is_table() && known->is_table();
    result.emplace_back(key, inside ? differences(value, *known) : value);
  }
  return {std::move(result), {}, {}, {}};
}

// A key that the task has no use for may only say what it says anyway.
void refuse_unused(const TomlNode& root, const tasks::CatalogueEntry& task,
                   tasks::TaskConfig config) {
  tasks::TaskConfig defaults;
  const TomlNode beyond = differences(section_tree(config), section_tree(defaults));
  for (const auto& [key, value] : std::get<TomlNode::Table>(beyond.value)) {
    if (task.uses(key)) continue;
    throw UserError(place_of(root, {("task." + key).c_str()}),
                    "task." + key + " has no meaning with task.name = \"" + task.name + "\"",
                    "remove it");
  }
}

// A run whose file has been read before, by its hash, is not asked for it again: its results can be
// read where the file is gone, and whoever trains it compares the hashes.
void resolve_task(const TomlNode& root, RunConfig& config) {
  const auto places = [&](const char* key) { return place_of(root, {key}); };
  refuse_unused(root, tasks::find_task(config.task.name), config.task);
  if (!config.task.content.empty()) return;
  const auto task = tasks::make_task({config.task, config.model.kind, places});
  config.task.content = task->content();
  if (task->shape().real && (config.train.label_smoothing > 0 || config.train.z_loss > 0)) {
    throw UserError(place_of(root, {"train.label_smoothing", "train.z_loss"}),
                    "label_smoothing and z_loss have no meaning where targets are real numbers",
                    "remove them, or choose another task.name");
  }
}

// As of a task's file.
void resolve_init(const TomlNode& root, ModelConfig& model) {
  if (model.init_from.empty() && !model.init_content.empty()) {
    throw UserError(place_of(root, {"model.init_content"}),
                    "model.init_content needs model.init_from", "remove it");
  }
  if (model.init_from.empty() || !model.init_content.empty()) return;
  if (!origin_of(model.init_from).empty()) return;  // an id is a hash already
  model.init_content = hash_hex(MappedFile(model.init_from).bytes());
}

const std::string kCellPrefix = "cell:";

// Counts the times that a default changed its value: what used to be left out means another run
// since then.
constexpr int kDefaultsVersion = 1;

// Keys that keep their defaults are left out, so that a new key renames no run.
std::string hash_of(const RunConfig& config) {
  TomlNode tree = differences(to_tree(config), to_tree(RunConfig()));
  erase_path(tree, "model.finish");  // the block says it
  return hash_hex(std::to_string(kDefaultsVersion) + "\n" + to_toml(tree));
}

// What makes two runs the same: spaces and names do not, nor where the same file lies.
RunConfig without_names(RunConfig config) {
  config.task.path.clear();
  if (!config.model.init_content.empty()) config.model.init_from.clear();
  config.model.block.clear();
  config.block = equation::essence(config.block);
  return config;
}

}  // namespace

std::string weights_of_cell(const std::string& id) { return kCellPrefix + id; }

std::string origin_of(const std::string& init_from) {
  return init_from.starts_with(kCellPrefix) ? init_from.substr(kCellPrefix.size()) : "";
}

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
  ModelKeys model{config.model, config.block.finish};
  read_section(root, "model", model);
  const equation::Source finish = config.block.finish;
  read_section(root, "train", config.train);
  read_section(root, "probe", config.probe);
  if (const TomlNode* entry = root.find("block")) {
    read_own_block(root, *entry, config);
  } else {
    config.block = equation::find_block(config.model.block, place_of(root, {"model.block"}));
  }
  if (find_path(root, "model.finish") != nullptr) config.block.finish = finish;
  const bool every_alone = config.probe.every > 0 && find_path(root, "probe.schedule") == nullptr;
  if (every_alone) config.probe.schedule = ProbeSchedule::kEvery;
  const std::vector<equation::Site> sites = check_model(root, config);
  check_train(root, config.train);
  check_probe(root, config, sites);
  resolve_task(root, config);
  resolve_init(root, config.model);
  return config;
}

std::vector<std::string> warnings(const RunConfig& config) {
  std::vector<std::string> lines;
  if (shadows_catalogue(config.block)) {
    lines.push_back("[block] is named " + config.block.name +
                    " as one of the catalogue, and is another: runs train the one written here");
  }
  if (config.train.warmup > config.train.steps) {
    lines.push_back("train.warmup = " + std::to_string(config.train.warmup) +
                    " is longer than train.steps = " + std::to_string(config.train.steps) +
                    ": the learning rate never reaches train.lr");
  }
  const std::vector<std::string> of_block = equation::warnings(config.block);
  lines.insert(lines.end(), of_block.begin(), of_block.end());
  return lines;
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

std::string canonical_text(const RunConfig& config) {
  TomlNode tree = to_tree(config);
  erase_path(tree, "model.finish");  // the block says it
  const tasks::CatalogueEntry& task = tasks::find_task(config.task.name);
  for (const auto& [key, value] : leaves(*tree.find("task"))) {
    if (!task.uses(key)) erase_path(tree, "task." + key);
  }
  return to_toml(tree);
}

std::string cell_id(const RunConfig& config) { return hash_of(without_names(config)); }

std::string pack_key(const RunConfig& config) {
  RunConfig shared = without_names(config);
  const RunConfig defaults;
  shared.seed = defaults.seed;
  // Other runs' weights, for each its own.
  if (!origin_of(config.model.init_from).empty()) shared.model.init_from = weights_of_cell("");
  shared.train.lr = defaults.train.lr;
  shared.train.momentum = defaults.train.momentum;
  shared.train.betas = defaults.train.betas;
  shared.train.eps = defaults.train.eps;
  shared.train.weight_decay = defaults.train.weight_decay;
  shared.train.clip = defaults.train.clip;
  shared.train.warmup = defaults.train.warmup;
  shared.train.warmup_shape = defaults.train.warmup_shape;
  shared.train.schedule = defaults.train.schedule;
  shared.train.final_lr = defaults.train.final_lr;
  shared.train.decay = defaults.train.decay;
  return hash_of(shared);
}

}  // namespace layerlab::config
