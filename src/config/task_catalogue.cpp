#include "config/task_catalogue.h"

#include <algorithm>
#include <cmath>

#include "core/names.h"

namespace layerlab::config {

const std::vector<std::string>& task_names() {
  static const std::vector<std::string> names = {"copy", "reverse"};
  return names;
}

TaskShape task_shape(const TaskConfig& task, ModelKind kind, const Place& place) {
  if (std::ranges::find(task_names(), task.name) == task_names().end()) {
    throw UserError(place, "unknown task " + task.name, suggestion(task.name, task_names()));
  }
  const double chance_loss = std::log(task.symbols);
  switch (kind) {
    case ModelKind::kEncoder:
      return {task.length, task.symbols, task.symbols, chance_loss};
    case ModelKind::kDecoder:
      return {2 * task.length, task.symbols + 1, task.symbols, chance_loss};
  }
  return {};
}

}  // namespace layerlab::config
