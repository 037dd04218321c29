#include <numeric>
#include <string>

#include "tasks/catalogue.h"
#include "tasks/entropy.h"
#include "tasks/sequence.h"

namespace layerlab::tasks {
namespace {

bool is_prime(int p) {
  for (int d = 2; d * d <= p; ++d) {
    if (p % d == 0) return false;
  }
  return p >= 2;
}

// How often each remainder is the product of two. a*b takes every multiple of g = gcd(a, p) g
// times.
std::vector<double> products(int p) {
  std::vector<double> factors(static_cast<std::size_t>(p) + 1), counts(static_cast<std::size_t>(p));
  for (int a = 0; a < p; ++a) ++factors[static_cast<std::size_t>(std::gcd(a, p))];
  for (int g = 1; g <= p; ++g) {
    if (factors[static_cast<std::size_t>(g)] == 0) continue;
    for (int c = 0; c < p; c += g) {
      counts[static_cast<std::size_t>(c)] += g * factors[static_cast<std::size_t>(g)];
    }
  }
  return counts;
}

// Of division the quotient is drawn, and the dividend follows.
Problem calculate(RandomStream& stream, Operation operation, std::int64_t p) {
  const auto modulus = static_cast<std::uint32_t>(p);
  const std::int64_t a = stream.below(modulus);
  const bool divide = operation == Operation::kDivide;
  const std::int64_t b = divide ? 1 + stream.below(modulus - 1) : stream.below(modulus);
  switch (operation) {
    case Operation::kAdd:
      return {{a, p, b}, {(a + b) % p}};
    case Operation::kSubtract:
      return {{a, p, b}, {(a - b + p) % p}};
    case Operation::kMultiply:
      return {{a, p, b}, {a * b % p}};
    case Operation::kDivide:
      return {{a * b % p, p, b}, {a}};
  }
  return {};
}

std::unique_ptr<Task> make(const Request& request) {
  const int p = request.task.modulus;
  const Operation operation = request.task.operation;
  if (operation == Operation::kDivide && !is_prime(p)) {
    throw UserError(request.place("task.modulus"),
                    "task.operation = \"/\" needs a prime task.modulus, got " + std::to_string(p),
                    "write for example modulus = 97");
  }
  Problems problems = uniform_problems(3, 1, p + 1, p, "enlarge task.modulus");
  if (operation == Operation::kMultiply) problems.chance_loss = entropy(products(p));
  problems.names = {{p, name_of(operation)}, {p + 1, "="}};
  problems.draw = [=](RandomStream& stream) { return calculate(stream, operation, p); };
  return make_sequence_task(request, std::move(problems));
}

}  // namespace

// a ∘ b modulo p, for ∘ one of + - * /. Training sees `train_fraction` of all problems: with a
// small one a model first learns them by heart, and much later the rule (Power et al. 2022,
// "Grokking", arXiv 2201.02177; openai/grok). 0 … p-1 are numbers, p is the operation and p+1, GO,
// is =. Division is by b ≠ 0, modulo a prime.
//
//   Inputs   5 ∘ 4 =            5 + 4, modulo 7
//   Targets  . . . 2
CatalogueEntry modular_task() {
  return {"modular",
          "add, subtract, multiply or divide modulo a number",
          {"modulus", "operation"},
          make};
}

}  // namespace layerlab::tasks
