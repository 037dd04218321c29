#include "probe/quantities.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/tensors.h"

namespace layerlab::probe {
namespace {

at::Tensor column(const at::Tensor& quantities, std::string_view name) {
  const auto found = std::ranges::find(kValueQuantities, name, &ValueQuantity::name);
  return quantities.select(1, found - kValueQuantities.begin());
}

double cosine_of(const at::Tensor& x) {
  return column(value_quantities(x, true), "token_cosine").item<double>();
}

// Read in one pass, and by torch's reductions as on other devices.
class ValueQuantities : public testing::TestWithParam<bool> {
 protected:
  static at::Tensor of(const at::Tensor& x, bool cosine, const at::Tensor& lengths = {}) {
    return GetParam() ? value_quantities(x, cosine, lengths)
                      : reductions::value_quantities(x, cosine, lengths);
  }
};

TEST_P(ValueQuantities, AreThoseOfEachReplica) {
  at::manual_seed(1);
  const at::Tensor x = at::randn({2, 3, 4, 5}, at::kDouble) * 2 + 1, q = of(x, true);
  const std::vector<std::int64_t> all = {1, 2, 3};
  EXPECT_THAT(column(q, "rms"), IsNear(x.square().mean(all).sqrt(), 1e-14));
  EXPECT_THAT(column(q, "token_norm"), IsNear(x.norm(2, -1).mean({1, 2}), 1e-14));
  EXPECT_THAT(column(q, "max_abs"), IsNear(x.abs().amax({1, 2, 3}), 1e-15));
  EXPECT_THAT(column(q, "mean"), IsNear(x.mean(all), 1e-14));
  EXPECT_THAT(column(q, "var"), IsNear(x.var(all, /*unbiased=*/false), 1e-13));
}

TEST_P(ValueQuantities, HaveACosineWhereItIsAskedFor) {
  const at::Tensor x = at::randn({2, 3, 4, 5}, at::kDouble);
  EXPECT_TRUE(column(of(x, false), "token_cosine").isnan().all().item<bool>());
  EXPECT_FALSE(column(of(x, true), "token_cosine").isnan().any().item<bool>());
}

TEST_P(ValueQuantities, KnowTheMeanCosineOverAllPairs) {
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
  EXPECT_NEAR(column(of(x, true), "token_cosine").item<double>(), sum / (2 * 5 * 4), 1e-14);
}

TEST_P(ValueQuantities, AreMeansOverStreams) {
  at::manual_seed(1);
  const at::Tensor x = at::randn({2, 3, 5, 4, 8}, at::kDouble);
  at::Tensor expected = at::zeros({2}, at::kDouble);
  for (const at::Tensor& stream : x.unbind(3)) {
    expected += column(of(stream, true), "token_cosine") / 4;
  }
  EXPECT_THAT(column(of(x, true), "token_cosine"), IsNear(expected, 1e-14));
}

TEST_P(ValueQuantities, LeavePaddingOut) {
  at::manual_seed(1);
  const at::Tensor x = at::randn({2, 3, 6, 2, 5}, at::kDouble) + 0.5;
  const at::Tensor lengths = at::tensor({6, 2, 1, 3, 3, 3}, at::kLong).view({2, 3});
  const at::Tensor behind = at::arange(6) >= lengths.unsqueeze(-1);
  const at::Tensor padded = x.masked_fill(behind.unsqueeze(-1).unsqueeze(-1), 1e3);
  const at::Tensor q = of(padded, true, lengths);
  for (int r = 0; r < 2; ++r) {
    std::vector<at::Tensor> tokens;
    std::vector<double> cosines;
    for (int b = 0; b < 3; ++b) {
      const at::Tensor real = x[r][b].narrow(0, 0, lengths[r][b].item<std::int64_t>());
      tokens.push_back(real);
      if (real.size(0) > 1) {
        const at::Tensor alone = of(real.unsqueeze(0).unsqueeze(0), true);
        cosines.push_back(column(alone, "token_cosine").item<double>());
      }
    }
    const at::Tensor all = at::cat(tokens);
    EXPECT_THAT(column(q, "rms")[r], IsNear(all.square().mean().sqrt(), 1e-13));
    EXPECT_THAT(column(q, "token_norm")[r], IsNear(all.norm(2, -1).mean(), 1e-13));
    EXPECT_THAT(column(q, "max_abs")[r], IsNear(all.abs().max(), 1e-15));
    EXPECT_THAT(column(q, "mean")[r], IsNear(all.mean(), 1e-12));
    EXPECT_THAT(column(q, "var")[r], IsNear(all.var(/*unbiased=*/false), 1e-12));
    EXPECT_THAT(column(q, "token_cosine")[r], IsNear(at::tensor(cosines).mean(), 1e-12));
  }
}

TEST_P(ValueQuantities, KeepTheirBitsWhereNothingIsPadded) {
  at::manual_seed(1);
  const at::Tensor x = at::randn({2, 3, 5, 37});
  const at::Tensor full = at::full({2, 3}, 5, at::kLong);
  if (GetParam()) {
    EXPECT_THAT(of(x, true, full), BitEqual(of(x, true)));
  }
  EXPECT_THAT(of(x, true, full), IsNear(of(x, true), 1e-5));
}

INSTANTIATE_TEST_SUITE_P(Ways, ValueQuantities, testing::Values(true, false),
                         [](const auto& way) { return way.param ? "OnePass" : "Reductions"; });

TEST(ValueQuantity, OfAReplicaDoesNotDependOnItsCompany) {
  at::manual_seed(1);
  const at::Tensor x = at::randn({3, 7, 5, 37});
  EXPECT_THAT(value_quantities(x, true)[1], BitEqual(value_quantities(x.slice(0, 1, 2), true)[0]));
}

TEST(ValueQuantity, OfATensorSeenFromTheSide) {
  const at::Tensor x = at::randn({2, 4, 3, 5}, at::kDouble).transpose(1, 2);
  EXPECT_THAT(value_quantities(x, true), BitEqual(value_quantities(x.contiguous(), true)));
}

TEST(TotalNorm, IsTheNormOfAReplica) {
  const at::Tensor x = at::tensor({3.0, 4.0, 0.0, 5.0}).view({2, 1, 1, 2});
  for (const at::Tensor& norm : {total_norm(x), reductions::total_norm(x)}) {
    EXPECT_THAT(norm, IsNear(at::tensor({5.0, 5.0}, at::kDouble).unsqueeze(1), 1e-15));
  }
}

TEST(TotalNorm, HoldsForSquaresThatFloatsCannotHold) {
  const at::Tensor x = at::logspace(-30, -14, 4000, 10, at::kFloat).unsqueeze(0);
  EXPECT_THAT(total_norm(x) / total_norm(x.to(at::kDouble)), IsNear(at::ones({1, 1}), 1e-6));
}

TEST(TotalNorm, LeavesDenormalNumbersTreatedAsBefore) {
  const at::Tensor x = at::ones({1, 100});
  const volatile float denormal = 1e-39F;
  for (const bool flush : {false, true}) {
    at::globalContext().setFlushDenormal(flush);
    total_norm(x);
    EXPECT_EQ(denormal * 1.0F == 0, flush);
  }
  at::globalContext().setFlushDenormal(false);
}

TEST(TokenCosine, IsOneForEqualTokens) {
  const at::Tensor token = at::randn({1, 1, 1, 8}, at::kDouble);
  EXPECT_NEAR(cosine_of(token.expand({1, 3, 6, 8})), 1, 1e-14);
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

TEST(TokenCosine, IsNotANumberForSequencesOfOne) {
  EXPECT_TRUE(std::isnan(cosine_of(at::ones({1, 2, 1, 3}))));
}

TEST(AttentionQuantities, AreTheEntropyInNatsAndTheLargestLogit) {
  at::manual_seed(1);
  at::Tensor logits = at::randn({2, 3, 2, 4, 5}, at::kDouble);
  logits.slice(-1, 3, 5).slice(0, 1, 2) = -std::numeric_limits<double>::infinity();
  const at::Tensor weights = at::softmax(logits, -1);
  const at::Tensor entropy = at::special_entr(weights).sum(-1).mean({1, 2, 3});
  const at::Tensor expected = at::stack({entropy, logits.amax({1, 2, 3, 4})}, 1);
  EXPECT_THAT(attention_quantities(logits, weights), IsNear(expected, 1e-14));
  EXPECT_THAT(reductions::attention_quantities(logits, weights), IsNear(expected, 1e-14));
  const at::Tensor even = at::full({1, 1, 1, 1, 8}, 0.125);
  EXPECT_NEAR(attention_quantities(even, even)[0][0].item<double>(), std::log(8.0), 1e-7);
}

TEST(AttentionQuantities, LeaveOutPaddedQueries) {
  at::manual_seed(1);
  const at::Tensor logits = at::randn({1, 2, 3, 4, 5}, at::kDouble);
  const at::Tensor weights = at::softmax(logits, -1),
                   lengths = at::tensor({4, 2}, at::kLong).view({1, 2});
  at::Tensor padded = logits.clone();
  padded[0][1].narrow(1, 2, 2).fill_(1e3);
  const at::Tensor each = at::special_entr(weights).sum(-1)[0];
  const at::Tensor sum = each[0].sum() + each[1].narrow(1, 0, 2).sum();
  const at::Tensor largest = at::max(logits[0][0].max(), logits[0][1].narrow(1, 0, 2).max());
  const at::Tensor expected = at::stack({sum / (3 * (4 + 2)), largest}).unsqueeze(0);
  EXPECT_THAT(attention_quantities(padded, weights, lengths), IsNear(expected, 1e-14));
  EXPECT_THAT(reductions::attention_quantities(padded, weights, lengths), IsNear(expected, 1e-14));
}

}  // namespace
}  // namespace layerlab::probe
