#include "theory/gaussian.h"

#include <gtest/gtest.h>

#include <numbers>
#include <ostream>

namespace layerlab::theory {
namespace {

using config::Activation;
using std::numbers::pi;

TEST(Gaussian, ReluHalvesTheMeanSquareAndLeavesTokensCorrelated) {
  const Transfer independent = transfer(Activation::kRelu, {3, 0});
  EXPECT_DOUBLE_EQ(independent.value.square, 1.5);  // Xiong et al. 2020, lemma 1
  EXPECT_DOUBLE_EQ(independent.value.cross, 3 / (2 * pi));
  EXPECT_DOUBLE_EQ(independent.slope.square, 0.5);
  EXPECT_DOUBLE_EQ(independent.slope.cross, 0.25);

  const Transfer equal = transfer(Activation::kRelu, {3, 3});
  EXPECT_DOUBLE_EQ(equal.value.cross, 1.5);
  EXPECT_DOUBLE_EQ(equal.slope.cross, 0.5);
}

// Sums over fine grids of torch's functions and autograd's derivatives, in float64.
struct Known {
  Activation activation;
  double mean, square, cross, slope_square, slope_cross;  // variance 1, correlation 1/2
};

void PrintTo(const Known& known, std::ostream* stream) {
  *stream << static_cast<int>(known.activation);
}

class Smooth : public testing::TestWithParam<Known> {};

TEST_P(Smooth, HasTheMomentsOfTorchsFunction) {
  const Known& known = GetParam();
  const Transfer result = transfer(known.activation, {1, 0.5});
  EXPECT_NEAR(result.mean, known.mean, 1e-6);
  EXPECT_NEAR(result.value.square, known.square, 1e-6);
  EXPECT_NEAR(result.value.cross, known.cross, 1e-6);
  EXPECT_NEAR(result.slope.square, known.slope_square, 1e-6);
  EXPECT_NEAR(result.slope.cross, known.slope_cross, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Gaussian, Smooth,
    testing::Values(Known{Activation::kGelu, 0.28209479177388885, 0.4252214825703149,
                          0.22729491502200871, 0.4558508656493043, 0.3422672424594689},
                    Known{Activation::kGeluTanh, 0.28203858807879945, 0.42519371103311565,
                          0.22726707642592278, 0.4558178459629678, 0.34227997827241213},
                    Known{Activation::kSilu, 0.2066209641419149, 0.35577551981736566,
                          0.1831696630881734, 0.3794823516328436, 0.31227961529356324}));

TEST(Gaussian, CurvesOfOppositeTokensMirrorEachOther) {
  const Curve cube{[](double u) { return u * u * u; }, [](double u) { return 3 * u * u; }};
  const Transfer result = transfer(cube, {1, -1});
  EXPECT_NEAR(result.value.square, 15, 1e-6);
  EXPECT_NEAR(result.value.cross, -15, 1e-6);
  EXPECT_NEAR(result.slope.cross, 27, 1e-6);
}

}  // namespace
}  // namespace layerlab::theory
