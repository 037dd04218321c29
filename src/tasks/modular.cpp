#include "tasks/modular.h"

#include <numeric>
#include <string>

#include "core/table_reader.h"
#include "tasks/entropy.h"

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

}  // namespace

ModularTask::ModularTask(const Request& request)
    : SequenceTask(request, problems(request)),
      p_(request.task.modulus),
      operation_(request.task.operation) {}

SequenceTask::Problems ModularTask::problems(const Request& request) {
  const int p = request.task.modulus;
  Problems result = uniform(3, 1, p + 1, p, "enlarge task.modulus");
  if (request.task.operation == Operation::kMultiply) result.chance_loss = entropy(products(p));
  if (request.task.operation == Operation::kDivide && !is_prime(p)) {
    throw UserError(request.place("task.modulus"),
                    "task.operation = \"/\" needs a prime task.modulus, got " + std::to_string(p),
                    "write for example modulus = 97");
  }
  return result;
}

SequenceTask::Problem ModularTask::draw_problem(RandomStream& stream) const {
  const auto p = static_cast<std::uint32_t>(p_);
  const std::int64_t a = stream.below(p);
  switch (operation_) {
    case Operation::kAdd: {
      const std::int64_t b = stream.below(p);
      return {{a, p_, b}, {(a + b) % p_}};
    }
    case Operation::kSubtract: {
      const std::int64_t b = stream.below(p);
      return {{a, p_, b}, {(a - b + p_) % p_}};
    }
    case Operation::kMultiply: {
      const std::int64_t b = stream.below(p);
      return {{a, p_, b}, {a * b % p_}};
    }
    case Operation::kDivide: {  // the quotient is drawn, the dividend follows
      const std::int64_t b = 1 + stream.below(p - 1);
      return {{a * b % p_, p_, b}, {a}};
    }
  }
  return {};
}

std::string ModularTask::text_of(std::int64_t id) const {
  if (id < p_) return std::to_string(id);
  return id == p_ ? name_of(operation_) : "=";
}

}  // namespace layerlab::tasks
