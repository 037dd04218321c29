#include "config/probe_schedule.h"

#include <gtest/gtest.h>

#include <vector>

namespace layerlab::config {
namespace {

std::vector<int> steps_due(const ProbeConfig& probe, int steps) {
  std::vector<int> result;
  for (int step = 0; step < steps; ++step) {
    if (is_measured(probe, step, steps)) result.push_back(step);
  }
  EXPECT_EQ(measured_steps(probe, steps), std::ssize(result));
  return result;
}

TEST(ProbeSchedule, IsDenseEarlyAndSparseLate) {
  EXPECT_EQ(steps_due({.schedule = ProbeSchedule::kLog}, 20),
            (std::vector<int>{0, 1, 2, 4, 8, 16, 19}));
}

TEST(ProbeSchedule, TakesEveryNthAndTheLast) {
  EXPECT_EQ(steps_due({.schedule = ProbeSchedule::kEvery, .every = 4}, 11),
            (std::vector<int>{0, 4, 8, 10}));
}

TEST(ProbeSchedule, CanBeOffOrAtTheBeginningOnly) {
  EXPECT_TRUE(steps_due({.schedule = ProbeSchedule::kOff}, 5).empty());
  EXPECT_EQ(steps_due({.schedule = ProbeSchedule::kInit}, 5), (std::vector<int>{0}));
}

// The count without a loop agrees in every case of the other tests, and at the ends.
TEST(ProbeSchedule, CountsWhatItTakes) {
  for (const int steps : {1, 2, 3, 4, 5, 16, 17, 18, 400}) {
    steps_due({.schedule = ProbeSchedule::kLog}, steps);
    for (const int every : {1, 2, 3, 400}) {
      steps_due({.schedule = ProbeSchedule::kEvery, .every = every}, steps);
    }
  }
}

}  // namespace
}  // namespace layerlab::config
