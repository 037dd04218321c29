#include "core/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace layerlab {
namespace {

using Counter = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

// Known answers of Random123 1.14, kat_vectors, philox4x32 with 10 rounds.
TEST(Philox, GivesTheKnownAnswerForZeros) {
  EXPECT_EQ(philox(Counter{0, 0, 0, 0}, Key{0, 0}),
            (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST(Philox, GivesTheKnownAnswerForOnes) {
  EXPECT_EQ(philox(Counter{~0u, ~0u, ~0u, ~0u}, Key{~0u, ~0u}),
            (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Philox, GivesTheKnownAnswerForPi) {
  EXPECT_EQ(
      philox(Counter{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, Key{0xa4093822, 0x299f31d0}),
      (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, GivesTheSameDrawsTwice) {
  RandomStream a(7, Purpose::kWeights, "blocks.0.attn.q.weight");
  RandomStream b(7, Purpose::kWeights, "blocks.0.attn.q.weight");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.bits(), b.bits());
}

TEST(RandomStream, DiffersBySeedPurposeAndName) {
  const auto first = [](RandomStream stream) { return stream.bits(); };
  const std::uint32_t base = first(RandomStream(7, Purpose::kWeights, "a"));
  EXPECT_NE(base, first(RandomStream(8, Purpose::kWeights, "a")));
  EXPECT_NE(base, first(RandomStream(7, Purpose::kBatch, "a")));
  EXPECT_NE(base, first(RandomStream(7, Purpose::kWeights, "b")));
}

TEST(RandomStream, NormalsHaveTheirMoments) {
  RandomStream stream(1, Purpose::kWeights, "moments");
  const int n = 200000;
  double sum = 0, squares = 0, fourths = 0;
  for (int i = 0; i < n; ++i) {
    const double x = stream.normal();
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourths / n, 3, 4 * std::sqrt(96.0 / n));
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream stream(1, Purpose::kBatch, std::uint64_t{0});
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[stream.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 4 * std::sqrt(10000 * 6.0 / 7));
}

}  // namespace
}  // namespace layerlab
