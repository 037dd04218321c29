#include "tasks/recall.h"

#include "tasks/distinct.h"
#include "tasks/limits.h"

namespace layerlab::tasks {

RecallTask::RecallTask(const Request& request)
    : SequenceTask(request, uniform(2 * request.task.pairs + 1, 1, 2 * request.task.symbols,
                                    request.task.symbols, "enlarge task.pairs or task.symbols")),
      pairs_(request.task.pairs),
      symbols_(request.task.symbols) {
  require_distinct_keys(request);
}

SequenceTask::Problem RecallTask::draw_problem(RandomStream& stream) const {
  const std::vector<std::int64_t> keys = draw_distinct(stream, pairs_, symbols_);
  const std::vector<std::int64_t> values = draw_symbols(stream, pairs_, symbols_);
  Problem problem;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    problem.source.insert(problem.source.end(), {symbols_ + keys[i], values[i]});
  }
  const std::uint32_t asked = stream.below(static_cast<std::uint32_t>(pairs_));
  problem.source.push_back(symbols_ + keys[asked]);
  problem.answer = {values[asked]};
  return problem;
}

}  // namespace layerlab::tasks
