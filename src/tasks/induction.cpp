#include "tasks/induction.h"

#include "tasks/limits.h"

namespace layerlab::tasks {

InductionTask::InductionTask(const Request& request)
    : SequenceTask(request, uniform(request.task.length, 1, request.task.symbols,
                                    request.task.symbols, "enlarge task.length or task.symbols")),
      length_(request.task.length),
      symbols_(request.task.symbols) {
  require_length(request, 2, "the trigger and what follows it");
}

SequenceTask::Problem InductionTask::draw_problem(RandomStream& stream) const {
  std::vector<std::int64_t> source = draw_symbols(stream, length_, symbols_);
  const std::uint32_t trigger = stream.below(static_cast<std::uint32_t>(length_ - 1));
  source[trigger] = symbols_;  // GO
  return {source, {source[trigger + 1]}};
}

}  // namespace layerlab::tasks
