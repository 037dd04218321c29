// What a run's settings name outside themselves: the files that it learns from and begins with.
#pragma once

#include <map>
#include <string>

#include "config/run_config.h"
#include "core/toml.h"

namespace layerlab::config {

// Fills in task.content and model.init_content, the hashes of the files that settings name, so that
// a run is what it was trained on. A file already identified by its hash is not read again: results
// can be read where the file is gone, and the worker compares the hashes.
class Resolver {
 public:
  // `config` was read from `root`. Throws UserError where a file cannot be read, and as
  // tasks::make_task() does for what cannot be a task.
  void resolve(const TomlNode& root, RunConfig& config);

  // read_run_config(), validate() and resolve().
  RunConfig read(const TomlNode& root);

 private:
  std::map<std::string, std::string> task_contents_, weight_hashes_;  // of files read before
};

}  // namespace layerlab::config
