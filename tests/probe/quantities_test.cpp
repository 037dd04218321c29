#include "probe/quantities.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "probe/schedule.h"
#include "tests/support/tensors.h"

namespace layerlab::probe {
namespace {

double cosine_of(const at::Tensor& x) { return token_cosine(x, token_norms(x)).item<double>(); }

TEST(Rms, IsTheRootOfTheMeanSquare) {
  at::manual_seed(1);
  const at::Tensor x = at::randn({2, 3, 4, 5}, at::kDouble);
  const at::Tensor expected = x.square().mean({1, 2, 3}).sqrt();
  EXPECT_THAT(rms(token_norms(x), 5), IsNear(expected, 1e-14));
}

TEST(TotalNorm, IsTheNormOfAReplica) {
  const at::Tensor x = at::tensor({3.0, 4.0, 0.0, 5.0}).view({2, 1, 1, 2});
  EXPECT_THAT(total_norm(x), IsNear(at::tensor({5.0, 5.0}), 1e-15));
}

TEST(TokenCosine, IsOneForEqualTokens) {
  const at::Tensor token = at::randn({1, 1, 1, 8}, at::kDouble);
  EXPECT_NEAR(cosine_of(token.expand({1, 3, 6, 8}).contiguous()), 1, 1e-14);
}

TEST(TokenCosine, IsZeroForOrthogonalTokens) {
  EXPECT_NEAR(cosine_of(at::eye(6, at::kDouble).view({1, 1, 6, 6}) * 7), 0, 1e-14);
}

TEST(TokenCosine, IsMinusOneForOppositeTokens) {
  EXPECT_NEAR(cosine_of(at::tensor({1.0, 2.0, -2.0, -4.0}).view({1, 1, 2, 2})), -1, 1e-14);
}

TEST(TokenCosine, CountsZeroTokensAsOrthogonal) {
  const at::Tensor x = at::tensor({1.0, 0.0, 0.0, 0.0, 1.0, 0.0}).view({1, 1, 3, 2});
  EXPECT_NEAR(cosine_of(x), 1.0 / 3, 1e-14) << "one equal pair of three";
}

TEST(TokenCosine, IsTheMeanOverStreams) {
  at::manual_seed(1);
  const at::Tensor x = at::randn({2, 3, 5, 4, 8}, at::kDouble);
  at::Tensor expected = at::zeros({2}, at::kDouble);
  for (const at::Tensor& stream : x.unbind(3)) {
    expected += token_cosine(stream, token_norms(stream)) / 4;
  }
  EXPECT_THAT(token_cosine(x, token_norms(x)), IsNear(expected, 1e-14));
}

TEST(TokenCosine, IsTheMeanOverAllPairs) {
  at::manual_seed(1);
  const at::Tensor x = at::randn({1, 2, 5, 3}, at::kDouble);
  double sum = 0;
  for (int b = 0; b < 2; ++b) {
    for (int s = 0; s < 5; ++s) {
      for (int t = 0; t < 5; ++t) {
        const at::Tensor u = x[0][b][s], v = x[0][b][t];
        if (s != t) sum += ((u * v).sum() / (u.norm() * v.norm())).item<double>();
      }
    }
  }
  EXPECT_NEAR(cosine_of(x), sum / (2 * 5 * 4), 1e-14);
}

TEST(TokenCosine, IsNotANumberForSequencesOfOne) {
  EXPECT_TRUE(std::isnan(cosine_of(at::ones({1, 2, 1, 3}))));
}

std::vector<int> steps_due(const config::ProbeConfig& probe, int steps) {
  std::vector<int> result;
  for (int step = 0; step < steps; ++step) {
    if (due(probe, step, steps)) result.push_back(step);
  }
  return result;
}

TEST(ProbeSchedule, IsDenseEarlyAndSparseLate) {
  EXPECT_EQ(steps_due({config::ProbeSchedule::kLog, 0}, 20),
            (std::vector<int>{0, 1, 2, 4, 8, 16, 19}));
}

TEST(ProbeSchedule, TakesEveryNthAndTheLast) {
  EXPECT_EQ(steps_due({config::ProbeSchedule::kEvery, 4}, 11), (std::vector<int>{0, 4, 8, 10}));
}

TEST(ProbeSchedule, CanBeOffOrAtTheBeginningOnly) {
  EXPECT_TRUE(steps_due({config::ProbeSchedule::kOff, 0}, 5).empty());
  EXPECT_EQ(steps_due({config::ProbeSchedule::kInit, 0}, 5), (std::vector<int>{0}));
}

}  // namespace
}  // namespace layerlab::probe
