#include "tasks/reverse.h"

#include <algorithm>

namespace layerlab::tasks {

void ReverseTask::answer(std::span<const std::int64_t> source,
                         std::span<std::int64_t> result) const {
  std::reverse_copy(source.begin(), source.end(), result.begin());
}

}  // namespace layerlab::tasks
