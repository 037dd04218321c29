#include "kernels/sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace layerlab::kernels {
namespace {

template <typename T>
std::vector<T> draw(std::int64_t n, double deviation, double mean = 0) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(mean, deviation);
  std::vector<T> numbers(n);
  for (T& number : numbers) number = static_cast<T>(normal(generator));
  return numbers;
}

// By the definitions, in double.
template <typename T>
SequenceSums by_hand(const std::vector<T>& x, const SequenceShape& shape) {
  SequenceSums sums;
  const auto at = [&](std::int64_t t, std::int64_t s, std::int64_t d) {
    return static_cast<double>(x[(t * shape.streams + s) * shape.width + d]);
  };
  const auto dot = [&](std::int64_t s, std::int64_t t, std::int64_t u) {
    double result = 0;
    for (std::int64_t d = 0; d < shape.width; ++d) result += at(t, s, d) * at(u, s, d);
    return result;
  };
  for (std::int64_t s = 0; s < shape.streams; ++s) {
    for (std::int64_t t = 0; t < shape.tokens; ++t) {
      sums.squares += dot(s, t, t);
      sums.norms += std::sqrt(dot(s, t, t));
      for (std::int64_t d = 0; d < shape.width; ++d) {
        sums.sum += at(t, s, d);
        sums.max_abs = std::max(sums.max_abs, std::abs(at(t, s, d)));
      }
      for (std::int64_t u = 0; u < shape.tokens; ++u) {
        if (u != t) sums.cosines += dot(s, t, u) / std::sqrt(dot(s, t, t) * dot(s, u, u));
      }
    }
  }
  return sums;
}

template <typename T>
class Sums : public testing::Test {
 protected:
  static constexpr double kTolerance = std::is_same_v<T, float> ? 2e-6 : 1e-13;
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Sums, Types);

TYPED_TEST(Sums, AreOfASequenceOfAnyShape) {
  for (const SequenceShape shape :
       {SequenceShape{1, 1, 1}, {7, 1, 3}, {5, 1, 8}, {16, 1, 32}, {9, 4, 37}, {200, 2, 16}}) {
    const auto x = draw<TypeParam>(shape.size(), 0.7, 0.3);
    const SequenceSums expected = by_hand(x, shape), sums = sequence_sums(x.data(), shape, true);
    const double size = expected.squares, tokens = expected.norms * shape.tokens;
    EXPECT_NEAR(sums.sum, expected.sum, size * this->kTolerance) << shape.width;
    EXPECT_NEAR(sums.squares, expected.squares, size * this->kTolerance) << shape.width;
    EXPECT_NEAR(sums.norms, expected.norms, expected.norms * this->kTolerance) << shape.width;
    EXPECT_NEAR(sums.cosines, expected.cosines, tokens * this->kTolerance) << shape.width;
    EXPECT_EQ(sums.max_abs, expected.max_abs) << shape.width;
    EXPECT_EQ(sequence_sums(x.data(), shape, false).cosines, 0) << shape.width;
  }
}

TYPED_TEST(Sums, AreOfAnyNumberOfSquares) {
  for (const std::int64_t n : {1, 7, 32, 100, 5000}) {
    const auto before = draw<TypeParam>(n, 2.0);
    auto after = before;
    for (TypeParam& value : after) value += static_cast<TypeParam>(0.125) * value;
    const double expected = by_hand(before, {1, 1, n}).squares;
    EXPECT_NEAR(squares(before.data(), n), expected, expected * this->kTolerance) << n;
    const ChangeSums sums = change_sums(before.data(), after.data(), n);
    EXPECT_NEAR(sums.before, expected, expected * this->kTolerance) << n;
    EXPECT_NEAR(sums.change, expected / 64, expected / 64 * this->kTolerance) << n;
  }
}

TYPED_TEST(Sums, HoldTheEntropyOfAttention) {
  const std::int64_t rows = 3000, keys = 11;
  auto logits = draw<TypeParam>(rows * keys, 3.0);
  std::vector<TypeParam> weights(logits.size());
  double entropy = 0, largest = -1e30;
  for (std::int64_t row = 0; row < rows; ++row) {
    TypeParam* s = &logits[row * keys];
    for (std::int64_t i = 1 + row % keys; i < keys; ++i) {  // masked as causal and padding do
      s[i] = row % 2 == 0 ? -std::numeric_limits<TypeParam>::infinity()
                          : std::numeric_limits<TypeParam>::lowest();
    }
    double sum = 0;
    for (std::int64_t i = 0; i < keys; ++i) sum += std::exp(static_cast<double>(s[i]));
    for (std::int64_t i = 0; i < keys; ++i) {
      const double p = std::exp(static_cast<double>(s[i])) / sum;
      weights[row * keys + i] = static_cast<TypeParam>(p);
      if (p > 0) entropy -= p * std::log(p);
      largest = std::max(largest, static_cast<double>(s[i]));
    }
  }
  const AttentionSums sums = attention_sums(logits.data(), weights.data(),
                                            {.heads = 3, .queries = rows / 3, .keys = keys});
  EXPECT_NEAR(sums.entropy, entropy, entropy * this->kTolerance);
  EXPECT_EQ(sums.max_logit, largest);
}

TYPED_TEST(Sums, OfAttentionLeaveOutThePaddedQueriesOfEachHead) {
  const std::int64_t heads = 2, queries = 5, keys = 4;
  const auto logits = draw<TypeParam>(heads * queries * keys, 1.0);
  const auto weights = draw<TypeParam>(heads * queries * keys, 0.1, 0.5);
  std::vector<TypeParam> real_logits, real_weights;
  for (std::int64_t head = 0; head < heads; ++head) {
    const std::int64_t begin = head * queries * keys, end = begin + 3 * keys;
    real_logits.insert(real_logits.end(), &logits[begin], &logits[end]);
    real_weights.insert(real_weights.end(), &weights[begin], &weights[end]);
  }
  const AttentionSums sums = attention_sums(logits.data(), weights.data(),
                                            {.heads = heads, .queries = queries, .keys = keys}, 3);
  const AttentionSums expected = attention_sums(real_logits.data(), real_weights.data(),
                                                {.heads = heads, .queries = 3, .keys = keys});
  EXPECT_EQ(sums.entropy, expected.entropy);
  EXPECT_EQ(sums.max_logit, expected.max_logit);
}

TEST(SumsOfFloats, HoldSquaresThatFloatsCannot) {
  for (const float size : {1e-30F, 1e30F}) {
    const std::vector<float> x(48, size), zero(48, 0.0F);
    const double expected = 48 * static_cast<double>(size) * size;
    EXPECT_NEAR(squares(x.data(), 48) / expected, 1, 1e-12);
    EXPECT_NEAR(change_sums(zero.data(), x.data(), 48).change / expected, 1, 1e-12);
    const SequenceSums sums = sequence_sums(x.data(), {3, 1, 16}, true);
    EXPECT_NEAR(sums.squares / expected, 1, 1e-12);
    EXPECT_NEAR(sums.norms / (3 * 4 * static_cast<double>(size)), 1, 1e-12);
  }
}

TEST(SumsOfFloats, PassOnWhatIsNotFinite) {
  std::vector<float> x(48, 1.0F);
  x[20] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(sequence_sums(x.data(), {3, 1, 16}, false).max_abs, INFINITY);
  EXPECT_EQ(squares(x.data(), 48), INFINITY);
  x[21] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(sequence_sums(x.data(), {3, 1, 16}, false).max_abs));
  EXPECT_TRUE(std::isnan(squares(x.data(), 48)));
}

}  // namespace
}  // namespace layerlab::kernels
