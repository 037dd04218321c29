#include <cmath>

#include "tasks/catalogue.h"
#include "tasks/entropy.h"
#include "tasks/sequence.h"

namespace layerlab::tasks {
namespace {

Problem add(RandomStream& stream, std::size_t digits) {
  Problem problem{draw_symbols(stream, static_cast<int>(2 * digits), 10), {}};
  std::int64_t carry = 0;
  for (std::size_t i = 1; i <= digits; ++i) {
    const std::int64_t sum = problem.source[digits - i] + problem.source[2 * digits - i] + carry;
    problem.answer.push_back(sum % 10);
    carry = sum / 10;
  }
  problem.answer.push_back(carry);
  return problem;
}

// All digits of a sum but the highest are uniform. That one is 1 for N (N - 1) / 2 of the N^2 pairs
// of numbers, N = 10^digits.
double chance_loss(int digits) {
  const double carries = (1 - std::pow(10.0, -digits)) / 2;
  std::vector<double> shares(10, digits / 10.0);
  shares[0] += 1 - carries;
  shares[1] += carries;
  return entropy(shares);
}

}  // namespace

// Add two numbers of `digits` digits, written without a sign between them. The sum has its lowest
// digit first, the order in which it is computed. After karpathy/minGPT, projects/adder.
//
//   Inputs   9 5 4 7      95 + 47
//   Targets  2 4 1        142
CatalogueEntry addition_task() {
  return {
      "addition", "add two numbers, lowest digit first", {"digits"}, [](const Request& request) {
        const int digits = request.task.digits;
        Problems problems = uniform_problems(2 * digits, digits + 1, 10, 10, "enlarge task.digits");
        problems.chance_loss = chance_loss(digits);
        problems.draw = [n = static_cast<std::size_t>(digits)](RandomStream& stream) {
          return add(stream, n);
        };
        return make_sequence_task(request, std::move(problems));
      }};
}

}  // namespace layerlab::tasks
