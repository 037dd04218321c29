#include "tasks/catalogue.h"

#include <algorithm>

#include "core/error.h"
#include "core/names.h"
#include "tasks/copy.h"
#include "tasks/reverse.h"

namespace layerlab::tasks {
namespace {

template <typename T>
std::unique_ptr<Task> make(const Request& request) {
  return std::make_unique<T>(request);
}

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> entries = {
      {"copy", "say the sequence again", {"length", "symbols"}, make<CopyTask>},
      {"reverse", "say the sequence backwards", {"length", "symbols"}, make<ReverseTask>},
  };
  return entries;
}

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) names.push_back(entry.name);
  return names;
}

const CatalogueEntry& find_task(const std::string& name, const Place& place) {
  const auto found = std::ranges::find(catalogue(), name, &CatalogueEntry::name);
  if (found != catalogue().end()) return *found;
  throw UserError(place, "unknown task " + name, suggestion(name, task_names()));
}

std::unique_ptr<Task> make_task(const Request& request) {
  std::unique_ptr<Task> task =
      find_task(request.task.name, request.place("task.name")).make(request);
  task->check_parts();
  return task;
}

}  // namespace layerlab::tasks
