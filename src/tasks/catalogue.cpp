#include "tasks/catalogue.h"

#include <algorithm>

#include "core/error.h"
#include "core/names.h"
#include "tasks/addition.h"
#include "tasks/copy.h"
#include "tasks/induction.h"
#include "tasks/linear_regression.h"
#include "tasks/modular.h"
#include "tasks/mqar.h"
#include "tasks/pairs.h"
#include "tasks/parity.h"
#include "tasks/recall.h"
#include "tasks/reverse.h"
#include "tasks/selective_copy.h"
#include "tasks/sort.h"
#include "tasks/text.h"

namespace layerlab::tasks {
namespace {

template <typename T>
std::unique_ptr<Task> make(const Request& request) {
  return std::make_unique<T>(request);
}

}  // namespace

bool CatalogueEntry::uses(const std::string& key) const {
  return key == "name" || key == "train_fraction" || std::ranges::find(keys, key) != keys.end();
}

std::span<const CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> entries = {
      {"copy", "say the sequence again", {"length", "symbols"}, make<CopyTask>},
      {"reverse", "say the sequence backwards", {"length", "symbols"}, make<ReverseTask>},
      {"sort", "say the symbols in ascending order", {"length", "symbols"}, make<SortTask>},
      {"addition", "add two numbers, lowest digit first", {"digits"}, make<AdditionTask>},
      {"parity", "say at each bit whether the ones so far are odd", {"length"}, make<ParityTask>},
      {"modular",
       "add, subtract, multiply or divide modulo a number",
       {"modulus", "operation"},
       make<ModularTask>},
      {"induction",
       "say what followed a trigger the first time",
       {"length", "symbols"},
       make<InductionTask>},
      {"selective_copy",
       "say the symbols that stand among blanks",
       {"length", "symbols", "items"},
       make<SelectiveCopyTask>},
      {"recall", "say the value of a key", {"pairs", "symbols"}, make<RecallTask>},
      {"mqar",
       "say the value of each key where it turns up again",
       {"length", "pairs", "symbols"},
       make<MqarTask>},
      {"linear_regression",
       "tell y = w·x from points before; w is a new one each time",
       {"length", "dimensions"},
       make<LinearRegressionTask>},
      {"text",
       "say the next byte of a text file of yours",
       {"path", "content", "length"},
       make<TextTask>},
      {"pairs",
       "answer as in a file of your own inputs and targets",
       {"path", "content", "unit"},
       make<PairsTask>},
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
