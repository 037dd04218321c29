// Branches by themselves, in settings whose result is known.
#include <gtest/gtest.h>

#include <cmath>

#include "theory/attention.h"
#include "theory/feed_forward.h"

namespace layerlab::theory {
namespace {

using equation::Branch;
using equation::BranchType;

// Square matrices by Xavier's scheme: every weight has the variance 1 / D.
config::ModelConfig square_model() {
  config::ModelConfig model;
  model.width = 64;
  model.heads = 4;
  model.ff = 64;
  return model;
}

// Queries and keys are 0, as in Xiong et al. 2020, section 3.3.
Branch uniform_attention(BranchType type = BranchType::kAttention) {
  Branch branch;
  branch.type = type;
  branch.gain = {{"q", 0}, {"k", 0}};
  return branch;
}

TEST(FeedForwardTheory, ReluHalvesBothWays) {
  const config::ModelConfig model = square_model();
  Branch branch;
  branch.type = BranchType::kFeedForward;
  FeedForward feed_forward(model, branch, 1, 1);
  EXPECT_DOUBLE_EQ(feed_forward.forward({2, 2}).square, 1);
  const SecondMoments sent = feed_forward.backward({6, 3});
  EXPECT_DOUBLE_EQ(sent.square, 3);
  EXPECT_DOUBLE_EQ(sent.cross, 1.5);
}

TEST(FeedForwardTheory, FollowsFactorsAndDeviationsOfTheBranch) {
  const config::ModelConfig model = square_model();
  Branch branch;
  branch.type = BranchType::kFeedForward;
  branch.gain = {{"up", 3}};
  branch.deviation = {{"down", 0.5}};
  FeedForward feed_forward(model, branch, 1, 1);
  EXPECT_DOUBLE_EQ(feed_forward.forward({1, 0}).square, 9 * 0.5 * 64 * 0.25);
}

TEST(FeedForwardTheory, GatesByAnIndependentValue) {
  config::ModelConfig model = square_model();
  model.gated = true;
  Branch branch;
  branch.type = BranchType::kFeedForward;
  FeedForward feed_forward(model, branch, 1, 1);
  EXPECT_DOUBLE_EQ(feed_forward.forward({1, 0}).square, 0.5);   // 1 * E relu^2
  EXPECT_DOUBLE_EQ(feed_forward.backward({1, 0}).square, 1.0);  // both factors send a half
}

TEST(FeedForwardTheory, AMidNormBringsWhatTheLastMatrixReadsToOne) {
  const config::ModelConfig model = square_model();
  Branch branch;
  branch.type = BranchType::kFeedForward;
  branch.mid = equation::Norm{};
  FeedForward feed_forward(model, branch, 1, 1);
  EXPECT_NEAR(feed_forward.forward({5, 0}).square, 1, 1e-4);
  // LN takes the mean out of relu's values, and all that tokens share without correlation is that.
  EXPECT_NEAR(feed_forward.forward({5, 0}).cross, 0, 1e-4);
}

TEST(AttentionTheory, UniformAttentionAveragesTokens) {
  const config::ModelConfig model = square_model();
  const Branch branch = uniform_attention();
  Attention attention(model, branch, 1, 10, 10);
  const SecondMoments apart = attention.forward({1, 0}, {1, 0});
  EXPECT_NEAR(apart.square, 0.1, 1e-9);
  EXPECT_NEAR(apart.correlation(), 1, 1e-6);
  EXPECT_NEAR(attention.forward({1, 1}, {1, 1}).square, 1, 1e-9);
  EXPECT_NEAR(attention.forward({1, 0.4}, {1, 0.4}).square, 0.4 + 0.6 / 10, 1e-9);
}

TEST(AttentionTheory, UniformAttentionSendsTheMeanGradientToAllTokens) {
  const config::ModelConfig model = square_model();
  const Branch branch = uniform_attention();
  Attention attention(model, branch, 1, 10, 10);
  attention.forward({1, 0}, {1, 0});
  const Attention::Gradients sent = attention.backward({1, 0.2});
  EXPECT_NEAR(sent.source.square, 0.2 + 0.8 / 10, 1e-9);
  EXPECT_NEAR(sent.source.correlation(), 1, 1e-6);
  EXPECT_EQ(sent.x.square, 0);
}

TEST(AttentionTheory, LogitsOfEqualTokensReceiveNothing) {
  const config::ModelConfig model = square_model();
  Branch branch;
  Attention attention(model, branch, 1, 10, 10);
  attention.forward({1, 1}, {1, 1});
  EXPECT_NEAR(attention.backward({1, 0}).x.square, 0, 1e-12);
  EXPECT_NEAR(attention.backward({1, 0}).source.square, 0.1, 1e-9);
}

TEST(AttentionTheory, ASharperSoftmaxAveragesLess) {
  const config::ModelConfig model = square_model();
  Branch plain, sharp;
  sharp.scale = 1;  // 4 times 1 / sqrt(K)
  Attention even(model, plain, 1, 10, 10), uneven(model, sharp, 1, 10, 10);
  EXPECT_GT(uneven.forward({1, 0}, {1, 0}).square, 1.5 * even.forward({1, 0}, {1, 0}).square);
}

TEST(AttentionTheory, QkNormHidesTheSizeOfQueriesAndKeys) {
  const config::ModelConfig model = square_model();
  Branch branch;
  equation::Norm norm;
  norm.type = equation::NormType::kRmsNorm;
  norm.weight = {16};  // per head
  branch.q = branch.k = norm;
  Attention attention(model, branch, 1, 10, 10);
  const double at_one = attention.forward({1, 0}, {1, 0}).square;
  EXPECT_NEAR(attention.forward({9, 0}, {9, 0}).square, 9 * at_one, 1e-4);
}

TEST(AttentionTheory, ReadsAMemoryAndSendsItTheSumOverQueries) {
  const config::ModelConfig model = square_model();
  const Branch branch = uniform_attention(BranchType::kCross);
  Attention attention(model, branch, 1, 20, 5);
  EXPECT_NEAR(attention.forward({1, 0}, {3, 0}).square, 3.0 / 5, 1e-9);
  EXPECT_NEAR(attention.backward({1, 0}).source.square, 20 / 25.0, 1e-9);
}

}  // namespace
}  // namespace layerlab::theory
