#include "tasks/hash_split.h"

#include <algorithm>
#include <utility>

#include "core/hash.h"
#include "tasks/example.h"

namespace layerlab::tasks {

HashSplitTask::HashSplitTask(const Request& request, const TaskShape& shape, std::string remedy)
    : Task(shape),
      train_fraction_(request.task.train_fraction),
      place_(request.place("task.name")),
      name_(request.task.name),
      remedy_(std::move(remedy)) {}

void HashSplitTask::draw(RandomStream& stream, Split split, const Row& row) const {
  while (side(draw_any(stream, row)) != split) {
  }
}

void HashSplitTask::check_parts() const {
  Example example(shape());
  // Of endlessly many problems both parts turn up among so many draws, but for one time in e^16.
  const double rarer = std::min(train_fraction_, 1 - train_fraction_);
  const auto draws = static_cast<int>(16 / rarer) + 1;
  RandomStream stream(0, Purpose::kHeldOut, "check_parts");
  bool found[2] = {false, false};
  for (int i = 0; i < draws && !(found[0] && found[1]); ++i) {
    found[static_cast<int>(side(draw_any(stream, example.row())))] = true;
  }
  if (found[0] && found[1]) return;
  throw UserError(place_,
                  "task.name = \"" + name_ + "\" has too few different problems to " +
                      (found[0] ? "hold some out" : "train on some"),
                  remedy_);
}

Split HashSplitTask::side(std::uint64_t hash) const {
  return static_cast<double>(hash) * 0x1p-64 < train_fraction_ ? Split::kTraining : Split::kHeldOut;
}

template <typename Number>
std::uint64_t hash_of(std::span<const Number> numbers) {
  return hash64({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}
template std::uint64_t hash_of(std::span<const std::int64_t>);
template std::uint64_t hash_of(std::span<const float>);

}  // namespace layerlab::tasks
