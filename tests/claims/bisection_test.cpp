#include "claims/bisection.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace layerlab::claims {
namespace {

using testing::ElementsAre;

struct Climb {
  Bisection bisection;
  std::vector<std::size_t> looked_at;
};

Climb climb(std::vector<Trial> rungs) {
  Climb climb;
  climb.bisection = bisect(rungs.size(), [&](std::size_t rung) {
    climb.looked_at.push_back(rung);
    return rungs[rung];
  });
  return climb;
}

TEST(Bisection, FindsTheLargestRungThatPassesOnEveryLadder) {
  for (std::size_t rungs = 1; rungs <= 17; ++rungs) {
    for (std::size_t passing = 0; passing <= rungs; ++passing) {
      std::vector<Trial> ladder(rungs, Trial::kFails);
      std::fill_n(ladder.begin(), passing, Trial::kPasses);
      const auto [bisection, looked_at] = climb(ladder);
      EXPECT_FALSE(bisection.next) << rungs;
      EXPECT_EQ(bisection.found.has_value(), passing > 0) << rungs;
      EXPECT_EQ(bisection.found.value_or(0), std::max<std::size_t>(passing, 1) - 1) << rungs;
      EXPECT_LE(looked_at.size(), static_cast<std::size_t>(most_rounds(rungs))) << rungs;
    }
  }
}

TEST(Bisection, LooksAtLittleMoreThanTheLogarithmOfTheRungs) {
  EXPECT_EQ(most_rounds(1), 1);
  EXPECT_EQ(most_rounds(3), 2);
  EXPECT_EQ(most_rounds(4), 3);
  EXPECT_EQ(most_rounds(7), 3);
  EXPECT_EQ(most_rounds(15), 4);
}

TEST(Bisection, WaitsForTheRungThatItNeedsNext) {
  const auto [bisection, looked_at] =
      climb({Trial::kUnknown, Trial::kUnknown, Trial::kUnknown, Trial::kPasses, Trial::kUnknown,
             Trial::kUnknown, Trial::kUnknown});
  EXPECT_THAT(looked_at, ElementsAre(3, 5));
  EXPECT_EQ(bisection.next, 5u);
  EXPECT_FALSE(bisection.found);
}

TEST(Bisection, DoesNotHeedWhatItDidNotAskFor) {
  const auto [bisection, looked_at] = climb({Trial::kFails, Trial::kPasses, Trial::kFails});
  EXPECT_THAT(looked_at, ElementsAre(1, 2));
  EXPECT_EQ(bisection.found, 1u);
}

}  // namespace
}  // namespace layerlab::claims
