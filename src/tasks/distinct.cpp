#include "tasks/distinct.h"

#include <numeric>
#include <utility>

namespace layerlab::tasks {

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
