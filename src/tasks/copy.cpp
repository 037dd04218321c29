#include "tasks/copy.h"

namespace layerlab::tasks {

CopyTask::Symbols CopyTask::answer(const Symbols& source) const { return source; }

}  // namespace layerlab::tasks
