#include "tasks/distinct.h"

#include <numeric>
#include <string>
#include <utility>

namespace layerlab::tasks {

void require_distinct_keys(const Request& request) {
  if (request.task.pairs <= request.task.symbols) return;
  const std::string pairs = std::to_string(request.task.pairs);
  throw UserError(request.place("task.pairs"),
                  "task.pairs = " + pairs + " keys cannot all differ among task.symbols = " +
                      std::to_string(request.task.symbols),
                  "write at least symbols = " + pairs);
}

std::vector<std::int64_t> draw_distinct(RandomStream& stream, int count, int below) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(below));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::uint32_t left = static_cast<std::uint32_t>(numbers.size() - i);
    std::swap(numbers[i], numbers[i + stream.below(left)]);
  }
  numbers.resize(static_cast<std::size_t>(count));
  return numbers;
}

}  // namespace layerlab::tasks
