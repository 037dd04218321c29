#include "tasks/sort.h"

#include <algorithm>

namespace layerlab::tasks {

SortTask::SortTask(const Request& request)
    : SequenceTask(request, uniform(request.task.length, request.task.length, request.task.symbols,
                                    request.task.symbols, "enlarge task.length or task.symbols")),
      length_(request.task.length),
      symbols_(request.task.symbols) {}

SequenceTask::Problem SortTask::draw_problem(RandomStream& stream) const {
  Problem problem{draw_symbols(stream, length_, symbols_), {}};
  problem.answer = problem.source;
  std::ranges::sort(problem.answer);
  return problem;
}

}  // namespace layerlab::tasks
