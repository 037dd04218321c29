#include "config/resolve.h"

#include <memory>

#include "config/keys.h"
#include "config/run_config_toml.h"
#include "config/validate.h"
#include "core/hash.h"
#include "core/mapped_file.h"
#include "tasks/catalogue.h"

namespace layerlab::config {
namespace {

std::string read_task(const TomlNode& root, const RunConfig& config) {
  const auto places = [&](const char* key) { return place_of(root, {key}); };
  const auto task = tasks::make_task({config.task, config.model.kind, places});
  if (task->shape().real && (config.train.label_smoothing > 0 || config.train.z_loss > 0)) {
    throw UserError(place_of(root, {"train.label_smoothing", "train.z_loss"}),
                    "label_smoothing and z_loss have no meaning where targets are real numbers",
                    "remove them, or choose another task.name");
  }
  return task->content();
}

}  // namespace

void Resolver::resolve(const TomlNode& root, RunConfig& config) {
  if (config.task.content.empty()) {
    // A task's checks depend on its table and the kind of model.
    const std::string key = name_of(config.model.kind) + to_toml(*to_tree(config).find("task"));
    std::string& content = task_contents_[key];  // "" too for tasks without a file
    if (content.empty()) content = read_task(root, config);
    config.task.content = content;
  }
  ModelConfig& model = config.model;
  const bool is_file = !model.init_from.empty() && origin_of(model.init_from).empty();
  if (is_file && model.init_content.empty()) {
    std::string& hash = weight_hashes_[model.init_from];
    if (hash.empty()) hash = hash_hex(MappedFile(model.init_from).bytes());
    model.init_content = hash;
  }
}

RunConfig Resolver::read(const TomlNode& root) {
  RunConfig config = read_run_config(root);
  validate(root, config);
  resolve(root, config);
  return config;
}

}  // namespace layerlab::config
