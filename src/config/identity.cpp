#include "config/identity.h"

#include "config/run_config_toml.h"
#include "core/hash.h"
#include "core/table_reader.h"
#include "embedded/defaults.h"

namespace layerlab::config {
namespace {

// What replicas of one model may differ in.
constexpr const char* kReplicaKeys[] = {"seed",           "train.lr",       "train.momentum",
                                        "train.betas",    "train.eps",      "train.weight_decay",
                                        "train.clip",     "train.warmup",   "train.warmup_shape",
                                        "train.schedule", "train.final_lr", "train.decay"};

// What makes two runs the same: spaces and names do not, nor where the same file lies.
RunConfig without_names(RunConfig config) {
  config.task.path.clear();
  if (!config.model.init_content.empty()) config.model.init_from.clear();
  config.model.block.clear();
  config.block = equation::canonical_form(config.block);
  return config;
}

}  // namespace

const IdentityDefaults& identity_defaults() {
  static const IdentityDefaults defaults{1, parse_toml_text(embedded::kDefaults, "defaults.toml")};
  return defaults;
}

std::string id_of(const TomlNode& tree, const IdentityDefaults& defaults) {
  return hash_hex(std::to_string(defaults.number) + "\n" +
                  to_toml(differences(tree, defaults.tree)));
}

std::string cell_id(const RunConfig& config) {
  return id_of(canonical_tree(without_names(config)), identity_defaults());
}

RunConfig read_stored_run(const TomlNode& root) {
  static const auto changed = leaves(differences(identity_defaults().tree, to_tree(RunConfig())));
  TomlNode complete = root;
  for (const auto& [key, value] : changed) {
    if (find_path(root, key) == nullptr) set_path(complete, key, value);
  }
  return read_run_config(complete);
}

std::string pack_key(const RunConfig& config) {
  TomlNode tree = canonical_tree(without_names(config));
  for (const char* const key : kReplicaKeys) erase_path(tree, key);
  // Weights without a hash are those of an origin, and each run has its own.
  const ModelConfig& model = config.model;
  if (!model.init_from.empty() && model.init_content.empty()) {
    set_path(tree, "model.init_from", to_node(weights_of_cell("")));
  }
  return id_of(tree, identity_defaults());
}

}  // namespace layerlab::config
