// The largest of ascending values that passes, found by trying few of them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace layerlab::claims {

enum class Trial { kUnknown, kFails, kPasses };

struct Bisection {
  std::optional<std::size_t> next;   // the value that must be tried to go on
  std::optional<std::size_t> found;  // once there is no next: the largest that passes, if one does
};

// Goes from the middle of `count` values to the middle of what is left, so it tries no more than
// log2(count + 1) of them, rounded up. `known(i)` says what is known of value i. Assumes that all
// values below one that passes do. Values off this path never matter, so the result does not
// depend on which others were tried.
Bisection bisect(std::size_t count, const std::function<Trial(std::size_t)>& known);

// The most values it tries.
int most_rounds(std::size_t count);

}  // namespace layerlab::claims
