#include "conform/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace layerlab::conform {
namespace {

TEST(Comparison, SurvivesTheWayThroughItsLines) {
  Comparison comparison;
  comparison.rows = {{"output", TensorKind::kValue, 1.5e-16, 2.5e-16, 1e-11},
                     {"grad.input", TensorKind::kGradient, 1, 0.1 + 0.2, 1e-10}};
  comparison.missing = {"a"};
  comparison.unused = {"b", "c"};
  comparison.difference = "block_out.0";
  comparison.explanations = {"gelu by erf"};
  comparison.tried = 60;
  Comparison copy;
  for (const std::string& line : to_lines(comparison)) read_line(line, copy);
  ASSERT_EQ(copy.rows.size(), 2);
  EXPECT_EQ(copy.rows[0].tensor, "output");
  EXPECT_EQ(copy.rows[0].max_error, 1.5e-16);
  EXPECT_EQ(copy.rows[1].kind, TensorKind::kGradient);
  EXPECT_EQ(copy.rows[1].relative_error, 0.1 + 0.2);
  EXPECT_EQ(copy.rows[1].tolerance, 1e-10);
  EXPECT_EQ(copy.missing, comparison.missing);
  EXPECT_EQ(copy.unused, comparison.unused);
  EXPECT_EQ(copy.difference, comparison.difference);
  EXPECT_EQ(copy.explanations, comparison.explanations);
  EXPECT_EQ(copy.tried, 60);
}

TEST(Comparison, WhatIsNotFiniteNeverAgrees) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Comparison comparison;
  comparison.rows = {{"output", TensorKind::kValue, nan, nan, 1e-11}};
  Comparison copy;
  for (const std::string& line : to_lines(comparison)) read_line(line, copy);
  EXPECT_TRUE(std::isnan(copy.rows.at(0).relative_error));
  EXPECT_FALSE(copy.agrees());
}

TEST(Comparison, AgreesOnlyWhenEverythingWasCompared) {
  Comparison comparison;
  EXPECT_FALSE(comparison.agrees()) << "nothing was compared";
  comparison.rows = {{"output", TensorKind::kValue, 0, 0, 1e-11}};
  EXPECT_TRUE(comparison.agrees());
  comparison.unused = {"final_norm.weight"};
  EXPECT_FALSE(comparison.agrees());
}

TEST(Comparison, OtherLinesArePassedOver) {
  Comparison comparison;
  read_line("a library's notice", comparison);
  read_line("{\"event\":\"message\"", comparison);
  read_line("", comparison);
  EXPECT_TRUE(comparison.rows.empty());
}

}  // namespace
}  // namespace layerlab::conform
