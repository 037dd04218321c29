#include "tasks/parity.h"

#include <functional>
#include <numeric>

namespace layerlab::tasks {

ParityTask::ParityTask(const Request& request)
    : SequenceTask(request,
                   uniform(request.task.length, request.task.length, 2, 2, "enlarge task.length")),
      length_(request.task.length) {}

SequenceTask::Problem ParityTask::draw_problem(RandomStream& stream) const {
  Problem problem{draw_symbols(stream, length_, 2),
                  std::vector<std::int64_t>(static_cast<std::size_t>(length_))};
  std::partial_sum(problem.source.begin(), problem.source.end(), problem.answer.begin(),
                   std::bit_xor<>());
  return problem;
}

}  // namespace layerlab::tasks
