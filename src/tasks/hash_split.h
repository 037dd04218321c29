// Tasks whose problems are drawn at random: the held-out part is chosen by a hash.
#pragma once

#include <string>

#include "tasks/task.h"

namespace layerlab::tasks {

// A problem is held out if its hash says so, whatever the seed and the kind of model: training
// draws again what is held out, evaluation what is not, so that the two never share a problem,
// however few there are.
class HashSplitTask : public Task {
 public:
  void draw(RandomStream& stream, Split split, const Row& row) const final;
  void check_parts() const final;

 protected:
  // `remedy`: what makes the problems more, where they are too few to be split.
  HashSplitTask(const Request& request, const TaskShape& shape, std::string remedy);

  // Draws any problem and writes it. Returns its hash: equal for equal problems.
  virtual std::uint64_t draw_any(RandomStream& stream, const Row& row) const = 0;

 private:
  Split side(std::uint64_t hash) const;

  double train_fraction_;
  Place place_;
  std::string name_, remedy_;
};

// Of numbers, such as a problem's ids.
template <typename Number>
std::uint64_t hash_of(std::span<const Number> numbers);

}  // namespace layerlab::tasks
