// All tasks: what `layerlab tasks` lists, which keys they use, how they are made.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tasks/task.h"

namespace layerlab::tasks {

struct CatalogueEntry {
  std::string name;
  std::string summary;            // one line
  std::vector<std::string> keys;  // of [task], besides name and train_fraction
  std::unique_ptr<Task> (*make)(const Request& request);

  bool uses(const std::string& key) const;
};

// In the order of docs/tasks.md.
std::span<const CatalogueEntry> catalogue();

std::vector<std::string> task_names();

// Throws UserError where `name` is unknown.
const CatalogueEntry& find_task(const std::string& name, const Place& place = {});

// Throws UserError where the task is unknown, its limits are not kept, the kind of model cannot
// solve it, its file cannot be used, or its problems are too few to hold some out.
std::unique_ptr<Task> make_task(const Request& request);

}  // namespace layerlab::tasks
