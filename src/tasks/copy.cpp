#include "tasks/copy.h"

namespace layerlab::tasks {

CopyTask::CopyTask(const Request& request)
    : SequenceTask(request, uniform(request.task.length, request.task.length, request.task.symbols,
                                    request.task.symbols, "enlarge task.length or task.symbols")),
      length_(request.task.length),
      symbols_(request.task.symbols) {}

SequenceTask::Problem CopyTask::draw_problem(RandomStream& stream) const {
  const std::vector<std::int64_t> source = draw_symbols(stream, length_, symbols_);
  return {source, source};
}

}  // namespace layerlab::tasks
