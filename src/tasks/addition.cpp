#include "tasks/addition.h"

#include <cmath>

#include "tasks/entropy.h"

namespace layerlab::tasks {

AdditionTask::AdditionTask(const Request& request)
    : SequenceTask(request, problems(request.task.digits)), digits_(request.task.digits) {}

SequenceTask::Problems AdditionTask::problems(int digits) {
  Problems result = uniform(2 * digits, digits + 1, 10, 10, "enlarge task.digits");
  // All but the highest digit are uniform. That is 1 for N (N - 1) / 2 of the N^2 pairs, N = 10^n.
  const double carries = (1 - std::pow(10.0, -digits)) / 2;
  std::vector<double> shares(10, digits / 10.0);
  shares[0] += 1 - carries;
  shares[1] += carries;
  result.chance_loss = entropy(shares);
  return result;
}

SequenceTask::Problem AdditionTask::draw_problem(RandomStream& stream) const {
  const auto n = static_cast<std::size_t>(digits_);
  Problem problem{draw_symbols(stream, 2 * digits_, 10), std::vector<std::int64_t>(n + 1)};
  std::int64_t carry = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t sum = problem.source[n - 1 - i] + problem.source[2 * n - 1 - i] + carry;
    problem.answer[i] = sum % 10;
    carry = sum / 10;
  }
  problem.answer[n] = carry;
  return problem;
}

}  // namespace layerlab::tasks
