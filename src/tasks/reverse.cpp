#include "tasks/reverse.h"

namespace layerlab::tasks {

ReverseTask::Symbols ReverseTask::answer(const Symbols& source) const {
  return {source.rbegin(), source.rend()};
}

}  // namespace layerlab::tasks
