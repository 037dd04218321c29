#include "tasks/sort.h"

#include <algorithm>

namespace layerlab::tasks {

SortTask::Symbols SortTask::answer(const Symbols& source) const {
  Symbols sorted = source;
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace layerlab::tasks
