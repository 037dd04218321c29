#include <gtest/gtest.h>

#include <map>

#include "tests/support/example.h"
#include "tests/support/user_error.h"

namespace layerlab::tasks {
namespace {

TEST(Mqar, AsksForTheValueOfEachKeyAgain) {
  const auto task =
      make_task(request("mqar", ModelKind::kDecoder, [](TaskConfig& t) { t.length = 32; }));
  for (const Example& example : examples(*task, 50)) {
    std::map<std::int64_t, std::int64_t> values;
    for (std::size_t t = 0; t < 8; t += 2) values[example.inputs[t]] = example.inputs[t + 1];
    EXPECT_EQ(values.size(), 4u) << "keys differ";
    EXPECT_EQ(part(example.targets, 0, 8), Ids(8, kIgnored));
    std::map<std::int64_t, std::int64_t> asked;
    for (std::size_t t = 8; t < 32; ++t) {
      if (example.targets[t] == kIgnored) {
        EXPECT_EQ(example.inputs[t], 32) << "blank";
      } else {
        asked[example.inputs[t]] = example.targets[t];
      }
    }
    EXPECT_EQ(asked, values);
  }
}

TEST(Mqar, AsksMoreOftenSoonThanLate) {
  const auto task = make_task(request("mqar", ModelKind::kDecoder, [](TaskConfig& t) {
    t.length = 34;
    t.pairs = 1;
  }));
  std::map<std::size_t, int> places;
  for (const Example& example : examples(*task, 3000)) {
    for (std::size_t t = 0; t < 34; ++t) places[t] += example.targets[t] == kIgnored ? 0 : 1;
  }
  // (i + 1)^-0.99 for i = 0 .. 15 sums to 3.42: shares 0.292, 0.147 and, of the last, 0.0188.
  EXPECT_NEAR(places[2], 876, 90);
  EXPECT_NEAR(places[4], 441, 75);
  EXPECT_NEAR(places[32], 56, 30);
}

TEST(Mqar, NeedsRoomForItsQueries) {
  const auto make = [] {
    make_task(request("mqar", ModelKind::kDecoder, [](TaskConfig& t) { t.length = 15; }));
  };
  EXPECT_EQ(refusal(make),
            "task.length = 15 is too short for the task.pairs = 4 and their queries of "
            "task.name = \"mqar\"; write at least length = 16");
}

}  // namespace
}  // namespace layerlab::tasks
