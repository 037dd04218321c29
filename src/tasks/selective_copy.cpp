#include "tasks/selective_copy.h"

#include "tasks/limits.h"

namespace layerlab::tasks {

SelectiveCopyTask::SelectiveCopyTask(const Request& request)
    : SequenceTask(request,
                   uniform(request.task.length, request.task.items, request.task.symbols + 1,
                           request.task.symbols, "enlarge task.length or task.symbols")),
      length_(request.task.length),
      symbols_(request.task.symbols),
      items_(request.task.items) {
  require_length(request, items_, "the task.items = " + std::to_string(items_));
}

SequenceTask::Problem SelectiveCopyTask::draw_problem(RandomStream& stream) const {
  Problem problem{{}, draw_symbols(stream, items_, symbols_)};
  std::size_t next = 0;
  for (int left = length_; left > 0; --left) {  // each choice of places is as likely
    const auto missing = static_cast<std::uint32_t>(problem.answer.size() - next);
    const bool here = stream.below(static_cast<std::uint32_t>(left)) < missing;
    problem.source.push_back(here ? problem.answer[next++] : symbols_);
  }
  return problem;
}

std::string SelectiveCopyTask::text_of(std::int64_t id) const {
  return id == symbols_ ? "_" : SequenceTask::text_of(id);
}

}  // namespace layerlab::tasks
