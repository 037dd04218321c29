#include "tasks/reverse.h"

namespace layerlab::tasks {

ReverseTask::ReverseTask(const Request& request)
    : SequenceTask(request, uniform(request.task.length, request.task.length, request.task.symbols,
                                    request.task.symbols, "enlarge task.length or task.symbols")),
      length_(request.task.length),
      symbols_(request.task.symbols) {}

SequenceTask::Problem ReverseTask::draw_problem(RandomStream& stream) const {
  const std::vector<std::int64_t> source = draw_symbols(stream, length_, symbols_);
  return {source, {source.rbegin(), source.rend()}};
}

}  // namespace layerlab::tasks
