#include "theory/model.h"
#include "config/model_parts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace layerlab::theory {
namespace {

config::ModelConfig small() {
  config::ModelConfig model;
  model.width = 64;
  model.heads = 4;
  model.depth = 2;
  return model;
}

equation::Program program(const config::ModelConfig& model) {
  return equation::compile(equation::find_block(model.block, {}), config::sizes_of(model));
}

TEST(EmbeddingMoments, AddTokensAndPositions) {
  config::ModelConfig model = small();
  const SecondMoments learned = embedding_moments(model, program(model), 16, 8);
  EXPECT_DOUBLE_EQ(learned.square, 2);
  EXPECT_DOUBLE_EQ(learned.cross, 1.0 / 8);

  model.positions = config::Positions::kNone;
  EXPECT_DOUBLE_EQ(embedding_moments(model, program(model), 16, 8).square, 1);

  model.embedding_norm = true;
  model.init = config::Init::kSmall;
  const SecondMoments normed = embedding_moments(model, program(model), 16, 8);
  EXPECT_NEAR(normed.square, 1, 2e-3);
  EXPECT_NEAR(normed.correlation(), 1.0 / 8, 1e-9);
}

// Sines and cosines of two neighbours: the mean of cos(f) over all frequencies f, halved.
TEST(EmbeddingMoments, KnowTheSinesOfPositions) {
  config::ModelConfig model = small();
  model.positions = config::Positions::kSinusoidal;
  double cosines = 0;
  for (int i = 0; i < 32; ++i) cosines += std::cos(std::pow(10000.0, -i / 32.0)) / 32;
  const SecondMoments two = embedding_moments(model, program(model), 2, 1000000);
  EXPECT_NEAR(two.square, 1.5, 1e-9);
  EXPECT_NEAR(two.cross, cosines / 2, 1e-5);
}

TEST(OutputGradient, OfEqualChancesIsThatOfTheTargets) {
  const config::ModelConfig model = small();
  const double weight = 2.0 / (64 + 10);
  // Logits of 0: |p - e|^2 = 1 - 1/V, and two positions share nothing.
  const SecondMoments none =
      output_gradient(model, program(model), {0, 0}, BatchShape{3, 5, 0, 5, 10, 10});
  EXPECT_NEAR(none.square, weight * 0.9 / (15 * 15), 1e-9);
  EXPECT_NEAR(none.cross, 0, 1e-9);
  // Two of five positions are scored.
  const SecondMoments some =
      output_gradient(model, program(model), {0, 0}, BatchShape{3, 5, 0, 2, 10, 10});
  EXPECT_NEAR(some.square, 2.0 / 5 * weight * 0.9 / 36, 1e-9);
}

TEST(OutputGradient, OfEqualTokensIsShared) {
  const config::ModelConfig model = small();
  const SecondMoments moments =
      output_gradient(model, program(model), {1, 1}, BatchShape{1, 5, 0, 5, 10, 10});
  EXPECT_GT(moments.correlation(), 0.1);
}

TEST(ModelTheory, HasGradientsInTheRecordsUnits) {
  const config::ModelConfig model = small();
  const BatchShape shape{4, 16, 0, 16, 16, 16};
  const std::vector<Prediction> sides =
      predict(model, equation::find_block(model.block, {}), shape);
  ASSERT_EQ(sides.size(), 1);
  const SecondMoments arriving = output_gradient(model, program(model), *sides[0].output, shape);
  EXPECT_NEAR(sides[0].taps.back().grad_norm.value(), std::sqrt(4 * 16 * 64 * arriving.square),
              1e-9);
}

TEST(ModelTheory, SendsWhatTheDecoderSendsItsMemoryThroughTheEncoder) {
  config::ModelConfig model = small();
  model.kind = config::ModelKind::kEncoderDecoder;
  const std::vector<Prediction> sides =
      predict(model, equation::find_block("pre_ln", {}), {4, 10, 6, 10, 16, 16});
  ASSERT_EQ(sides.size(), 2);
  EXPECT_GT(sides[1].memory_gradient->square, 0);
  EXPECT_NEAR(sides[0].taps.back().grad_norm.value(),
              std::sqrt(4 * 6 * 64 * sides[1].memory_gradient->square), 1e-9);
}

TEST(ModelTheory, HasNoGradientsWhereWhatLeavesIsUnknown) {
  equation::Block block;
  block.equation = {"GRU(F(LN(x)), x)", {}};
  const std::vector<Prediction> sides = predict(small(), block, {4, 16, 0, 16, 16, 16});
  EXPECT_FALSE(sides[0].taps.back().grad_norm.has_value());
  EXPECT_FALSE(sides[0].taps.back().no_gradient.empty());
  EXPECT_TRUE(sides[0].taps.front().rms.has_value());
}

}  // namespace
}  // namespace layerlab::theory
