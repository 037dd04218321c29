#include "tasks/hash_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/example.h"
#include "tests/support/user_error.h"

namespace layerlab::tasks {
namespace {

// The sources of all problems of one part: of four symbols and three places there are 64.
std::set<Ids> sources(ModelKind kind, Split split, std::uint64_t seed, double train_fraction) {
  const auto task = make_task(request("copy", kind, [&](TaskConfig& t) {
    t.length = 3;
    t.symbols = 4;
    t.train_fraction = train_fraction;
  }));
  std::set<Ids> found;
  for (const Example& example : examples(*task, 2000, split, seed)) {
    const bool pair = kind == ModelKind::kEncoderDecoder;
    found.insert(pair ? example.source : part(example.inputs, 0, 3));
  }
  return found;
}

TEST(HashSplit, IsThatOfTheProblemsForEverySeedAndKindOfModel) {
  const std::set<Ids> held_out = sources(ModelKind::kEncoder, Split::kHeldOut, 1, 0.75);
  EXPECT_EQ(sources(ModelKind::kEncoder, Split::kHeldOut, 2, 0.75), held_out);
  EXPECT_EQ(sources(ModelKind::kDecoder, Split::kHeldOut, 1, 0.75), held_out);
  EXPECT_EQ(sources(ModelKind::kEncoderDecoder, Split::kHeldOut, 3, 0.75), held_out);
}

TEST(HashSplit, PutsEveryProblemIntoOnePart) {
  const std::set<Ids> held_out = sources(ModelKind::kEncoder, Split::kHeldOut, 1, 0.75);
  const std::set<Ids> training = sources(ModelKind::kEncoder, Split::kTraining, 1, 0.75);
  EXPECT_EQ(held_out.size() + training.size(), 64u);
  EXPECT_NEAR(static_cast<double>(training.size()), 48, 12);
}

TEST(HashSplit, TrainsOnMoreWhereTheFractionIsLarger) {
  const std::set<Ids> few = sources(ModelKind::kEncoder, Split::kTraining, 1, 0.25);
  const std::set<Ids> many = sources(ModelKind::kEncoder, Split::kTraining, 1, 0.75);
  EXPECT_LT(few.size(), many.size());
  EXPECT_TRUE(std::ranges::includes(many, few)) << "what was trained on stays so";
}

TEST(HashSplit, RefusesTooFewProblemsForEitherPart) {
  const auto make = [](double train_fraction) {
    return refusal([&] {
      make_task(request("parity", ModelKind::kEncoder, [&](TaskConfig& t) {
        t.length = 1;
        t.train_fraction = train_fraction;
      }));
    });
  };
  EXPECT_EQ(make(0.999),
            "task.name = \"parity\" has too few different problems to hold some out; "
            "enlarge task.length");
  EXPECT_EQ(make(0.001),
            "task.name = \"parity\" has too few different problems to train on some; "
            "enlarge task.length");
}

}  // namespace
}  // namespace layerlab::tasks
