// All tasks: what `layerlab tasks` lists, which keys they use, how they are made. docs/extending.md
// shows how one is added.
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

// For CatalogueEntry::make of a task that is a class.
template <typename T>
std::unique_ptr<Task> construct(const Request& request) {
  return std::make_unique<T>(request);
}

// In the order of docs/tasks.md.
std::span<const CatalogueEntry> catalogue();

// Throws UserError where `name` is unknown.
CatalogueEntry find_task(const std::string& name, Place place = {});

// Throws UserError where the task is unknown, its limits are not kept, the kind of model cannot
// solve it, its file cannot be used, an example takes over 1 GB, or its problems are too few to
// hold some out.
std::unique_ptr<Task> make_task(const Request& request);

}  // namespace layerlab::tasks
