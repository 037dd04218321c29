#include "tasks/catalogue.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/names.h"

namespace layerlab::tasks {

// Each is defined in the task's own file, below what draws its examples.
CatalogueEntry copy_task(), reverse_task(), sort_task(), addition_task(), parity_task(),
    modular_task(), induction_task(), selective_copy_task(), recall_task(), mqar_task(),
    linear_regression_task(), text_task(), pairs_task();

std::span<const CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> entries = {copy_task(),
                                                      reverse_task(),
                                                      sort_task(),
                                                      addition_task(),
                                                      parity_task(),
                                                      modular_task(),
                                                      induction_task(),
                                                      selective_copy_task(),
                                                      recall_task(),
                                                      mqar_task(),
                                                      linear_regression_task(),
                                                      text_task(),
                                                      pairs_task()};
  return entries;
}

namespace {

// Memory for one, before anything of that size is asked for.
void check_size(const Request& request, const TaskShape& shape) {
  const double numbers = static_cast<double>(shape.tokens) * (std::max(shape.features, 1) + 1.0);
  if (numbers * sizeof(float) <= 1e9) return;
  throw UserError(request.place("task.length"),
                  "one example of task.name = \"" + request.task.name + "\" would take over 1 GB",
                  "make task.length or task.dimensions smaller");
}

}  // namespace

bool CatalogueEntry::uses(const std::string& key) const {
  return key == "name" || key == "train_fraction" || std::ranges::find(keys, key) != keys.end();
}

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) names.push_back(entry.name);
  return names;
}

CatalogueEntry find_task(const std::string& name, Place place) {
  const auto found = std::ranges::find(catalogue(), name, &CatalogueEntry::name);
  if (found != catalogue().end()) return *found;
  throw UserError(std::move(place), "unknown task " + name, suggestion(name, task_names()));
}

std::unique_ptr<Task> make_task(const Request& request) {
  std::unique_ptr<Task> task =
      find_task(request.task.name, request.place("task.name")).make(request);
  check_size(request, task->shape());
  task->check_parts();
  return task;
}

}  // namespace layerlab::tasks
