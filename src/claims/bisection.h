// The largest rung of a ladder that passes, by looking at few of them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace layerlab::claims {

enum class Rung { kUnknown, kFails, kPasses };

struct Bisection {
  std::optional<std::size_t> next;   // the rung that must be known to go on
  std::optional<std::size_t> found;  // once there is no next: the largest that passes, if one does
};

// Goes from the middle of `rungs` rungs to the middle of what is left, and so looks at no more than
// log2(rungs + 1) of them, rounded up; `known` says what is known of one. Assumes that all rungs
// below one that passes do. What is known of rungs off this path never matters, so the answer is
// the same whoever has tried which.
Bisection bisect(std::size_t rungs, const std::function<Rung(std::size_t)>& known);

// The most rungs it looks at.
int most_rounds(std::size_t rungs);

}  // namespace layerlab::claims
