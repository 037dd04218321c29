#include "equation/scalar.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/user_error.h"

namespace layerlab::equation {
namespace {

Source source(const std::string& text) { return {text, {"a.toml", 1, 1}}; }

const std::vector<NamedScalar> kNone;

double value(const std::string& text) {
  Scalars scalars(kNone);
  set_sizes(
      {.depth = 12, .width = 64, .heads = 4, .ff = 256, .encoder_depth = 6, .decoder_depth = 3},
      scalars);
  return scalars.evaluate(source(text));
}

TEST(Scalar, Computes) {
  EXPECT_EQ(value("1 + 2*3 - 4/8"), 6.5);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8 - 4 - 2"), 2);
  EXPECT_EQ(value("8 / 4 / 2"), 1);
  EXPECT_EQ(value("L^1/4"), 3) << "powers come first";
  EXPECT_EQ(value("1.5e-3"), 0.0015);
}

TEST(Scalar, KnowsTheFunctions) {
  EXPECT_EQ(value("sqrt(9)"), 3);
  EXPECT_EQ(value("log(exp(2))"), 2);
  EXPECT_EQ(value("min(2, 3) + max(2, 3)"), 5);
  EXPECT_EQ(value("round(2.5)"), 3);
  EXPECT_EQ(value("floor(-2.5)"), -3);
  EXPECT_EQ(value("mod(7, 4)"), 3);
  EXPECT_EQ(value("mod(-1, 4)"), 3) << "from 0 to below the divisor";
  EXPECT_EQ(value("eq(2, 2) + 10*eq(2, 3)"), 1);
}

TEST(Scalar, KnowsTheSizes) {
  EXPECT_EQ(value("L"), 12);
  EXPECT_EQ(value("D"), 64);
  EXPECT_EQ(value("H"), 4);
  EXPECT_EQ(value("K"), 16);
  EXPECT_EQ(value("ff"), 256);
  EXPECT_EQ(value("N_enc + M_dec"), 9);
}

TEST(Scalar, ResolvesConstantsInAnyOrder) {
  const std::vector<NamedScalar> constants = {
      {"a", source("b + 1"), {}}, {"b", source("2*c"), {}}, {"c", source("3"), {}}};
  Scalars scalars(constants);
  EXPECT_EQ(scalars.value("a"), 7);
}

TEST(Scalar, ForgetsWhatHoldsNoMore) {
  Scalars scalars(kNone);
  scalars.set("l", 2);
  EXPECT_EQ(scalars.evaluate(source("l")), 2);
  scalars.forget("l");
  EXPECT_FALSE(scalars.knows("l"));
}

struct Mistake {
  const char* text;
  const char* line;
};

class ScalarRefuses : public testing::TestWithParam<Mistake> {};

TEST_P(ScalarRefuses, WithPlaceAndRemedy) {
  EXPECT_EQ(refusal([] { value(GetParam().text); }), std::string("a.toml:1:") + GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ScalarRefuses,
    testing::Values(
        Mistake{"", "1: expected one scalar expression; write for example (2*L)^(1/4)"},
        Mistake{"1; 2", "1: expected one scalar expression; write for example (2*L)^(1/4)"},
        Mistake{"a = 1", "1: expected one scalar expression; write for example (2*L)^(1/4)"},
        Mistake{"2*N_eng", "3: expected a known number, got 'N_eng'; did you mean 'N_enc'?"},
        Mistake{"2*q", "3: expected a known number, got 'q'; known: D, H, K, L, M_dec, N_enc, ff"},
        Mistake{"2*l",
                "3: expected a number that is known here, got 'l'; it differs from block to block"},
        Mistake{"sqr(2)", "1: expected a function of numbers, got 'sqr'; did you mean 'sqrt'?"},
        Mistake{"LN(2)",
                "1: expected a function of numbers, got 'LN'; known: sqrt, log, exp, min, max, "
                "round, floor, mod, eq"},
        Mistake{"sqrt(1, 2)", "1: expected 1 number in sqrt(...)"},
        Mistake{"1 + min(1)", "5: expected 2 numbers in min(...)"},
        Mistake{"sqrt(1, eps=2)", "9: expected no options in sqrt(...)"},
        Mistake{"1/0", "1: expected a finite number, got inf"},
        Mistake{"sqrt(-1)", "1: expected a finite number, got -nan"},
        Mistake{"D @ D", "3: expected numbers here, not tensors"},
        Mistake{"D[0]", "2: expected numbers here, not tensors"}));

TEST(Scalar, RefusesConstantsThatDependOnThemselves) {
  const std::vector<NamedScalar> constants = {{"a", source("b"), {"a.toml", 3, 1}},
                                              {"b", source("a"), {"a.toml", 4, 1}}};
  EXPECT_EQ(refusal([&] { Scalars(constants).value("a"); }),
            "a.toml:3:1: expected a not to depend on itself");
}

TEST(Scalar, RefusesNamesOfSizesForConstants) {
  const std::vector<NamedScalar> constants = {{"L", source("1"), {"a.toml", 2, 5}}};
  EXPECT_EQ(refusal([&] { Scalars scalars(constants); }),
            "a.toml:2:5: expected a free name, and L stands for a size");
}

TEST(Scalar, RefusesAConstantThatIsThereTwice) {
  const std::vector<NamedScalar> constants = {{"a", source("1"), {}},
                                              {"a", source("2"), {"a.toml", 2, 5}}};
  EXPECT_EQ(refusal([&] { Scalars scalars(constants); }),
            "a.toml:2:5: expected one constant named a");
}

TEST(Scalar, KnowsWhetherATextNamesSomething) {
  const Source text = source("eq(j, 0) + 1");
  EXPECT_TRUE(ScalarText(text).names("j"));
  EXPECT_FALSE(ScalarText(text).names("i"));
}

}  // namespace
}  // namespace layerlab::equation
