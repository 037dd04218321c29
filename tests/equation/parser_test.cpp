#include <gtest/gtest.h>

#include "equation/syntax.h"
#include "tests/support/user_error.h"

namespace layerlab::equation {
namespace {

using Kind = Expression::Kind;

Source source(const std::string& text) { return {text, {"test.toml", 3, 13}}; }

Expression expression(const std::string& text) { return parse(source(text)).at(0).value; }

// Fully bracketed, so that precedence shows.
std::string text_of(const Expression& e) {
  const auto binary = [&](const char* sign) {
    return "(" + text_of(e.operands[0]) + sign + text_of(e.operands[1]) + ")";
  };
  switch (e.kind) {
    case Kind::kNumber: {
      std::string digits = std::to_string(e.number);
      return digits.substr(0, digits.find('.'));
    }
    case Kind::kName:
      return e.name;
    case Kind::kCall: {
      std::string result = e.name + "[";
      for (const Expression& operand : e.operands) result += text_of(operand) + ",";
      for (const Option& option : e.options) result += option.name + "=" + text_of(option.value);
      return result + "]";
    }
    case Kind::kSum:
      return binary("+");
    case Kind::kDifference:
      return binary("-");
    case Kind::kProduct:
      return binary("*");
    case Kind::kQuotient:
      return binary("/");
    case Kind::kPower:
      return binary("^");
    case Kind::kMatrixProduct:
      return binary("@");
    case Kind::kIndex:
      return text_of(e.operands[0]) + "[" + std::to_string(static_cast<int>(e.number)) + "]";
    case Kind::kSliceFrom:
      return text_of(e.operands[0]) + "[" + std::to_string(static_cast<int>(e.number)) + ":]";
    case Kind::kMinus:
      return "(-" + text_of(e.operands[0]) + ")";
  }
  return "";
}

TEST(Parser, MultipliesBeforeItAdds) { EXPECT_EQ(text_of(expression("a+2*b")), "(a+(2*b))"); }

TEST(Parser, SubtractsFromTheLeft) { EXPECT_EQ(text_of(expression("a-b-c")), "((a-b)-c)"); }

TEST(Parser, PowersBindTighterThanMinus) { EXPECT_EQ(text_of(expression("-x^2")), "(-(x^2))"); }

TEST(Parser, PowersAssociateToTheRight) { EXPECT_EQ(text_of(expression("2^3^4")), "(2^(3^4))"); }

TEST(Parser, PowersTakeNegativeExponents) { EXPECT_EQ(text_of(expression("8^-2")), "(8^(-2))"); }

TEST(Parser, IndexesBeforeItMultiplies) {
  EXPECT_EQ(text_of(expression("T(a)[0] @ h")), "(T[a,][0]@h)");
  EXPECT_EQ(text_of(expression("T(a)[1:] @ h")), "(T[a,][1:]@h)");
}

TEST(Parser, ReadsCallsWithOptions) {
  EXPECT_EQ(text_of(expression("LN(x + F(x), eps=7)")), "LN[(x+F[x,]),eps=7]");
}

TEST(Parser, ReadsStatementsAndTheirTargets) {
  const auto statements = parse(source("u = F(x); y = y + u; LN(x + u)"));
  ASSERT_EQ(statements.size(), 3u);
  EXPECT_EQ(statements[0].target, "u");
  EXPECT_EQ(statements[1].target, "y");
  EXPECT_EQ(statements[2].target, "x") << "a bare expression assigns x";
}

TEST(Parser, AllowsATrailingSemicolon) { EXPECT_EQ(parse(source("x + F(x);")).size(), 1u); }

TEST(Parser, GivesNothingForNothing) { EXPECT_TRUE(parse(source(" ")).empty()); }

struct Refusal {
  const char* text;
  const char* line;
};

class ParserRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(ParserRefuses, WithTheColumn) {
  EXPECT_EQ(refusal([] { parse(source(GetParam().text)); }), GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ParserRefuses,
    testing::Values(
        Refusal{"x + ", "test.toml:3:17: expected a name, a number or '(', got the end"},
        Refusal{"LN(x", "test.toml:3:17: expected an operator, ',' or ')', got the end"},
        Refusal{"x y", "test.toml:3:15: expected an operator, ';' or the end, got 'y'"},
        Refusal{"(x", "test.toml:3:15: expected an operator or ')', got the end"},
        Refusal{"LN(eps=1, x)", "test.toml:3:23: expected another option, got 'x'"},
        Refusal{"x ? y", "test.toml:3:15: expected a name, a number or an operator, got '?'"},
        Refusal{"x # y",
                "test.toml:3:15: expected a name, a number or an operator, got '#'; an equation "
                "has no comments; write them outside of its quotes"},
        Refusal{"\u03b1*x",
                "test.toml:3:13: expected a name, a number or an operator, got '\u03b1'; names are "
                "of ASCII letters, digits and _, for example alpha"},
        Refusal{"x \u2212 y",
                "test.toml:3:15: expected a name, a number or an operator, got '\u2212'; write -"},
        Refusal{"F(x, a=1, a=2)", "test.toml:3:23: expected a once in F(...); remove one of them"},
        Refusal{"x[y]", "test.toml:3:15: expected an index such as 0, got 'y'"},
        Refusal{"x[1.5]", "test.toml:3:15: expected an index such as 0, got '1.5'"},
        Refusal{"x[0", "test.toml:3:16: expected ':' or ']', got the end"},
        Refusal{"1e999", "test.toml:3:13: expected a number that a double can hold"},
        Refusal{"x +\n  * y", "test.toml:4:3: expected a name, a number or '(', got '*'"}));

TEST(Parser, PutsACaretUnderTheMistake) {
  try {
    parse(source("x + ) y"));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.excerpt(), "  x + ) y\n      ^");
  }
}

TEST(Parser, ShowsATabAsABlankAboveTheCaret) {
  try {
    parse(source("x\t?"));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.excerpt(), "  x ?\n    ^");
  }
}

TEST(Parser, ShowsWhatIsAroundTheMistakeInALongLine) {
  try {
    parse(source(std::string(200, 'a') + " ? " + std::string(200, 'b')));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.excerpt(), "  …" + std::string(59, 'a') + " ? " + std::string(58, 'b') + "…\n" +
                                   std::string(63, ' ') + "^");
  }
}

TEST(Parser, RefusesEndlessNesting) {
  EXPECT_THAT([] { parse(source(std::string(2000, '('))); }, throws_user_error("less nesting"));
  EXPECT_THAT([] { parse(source(std::string(2000, '-'))); }, throws_user_error("less nesting"));
}

TEST(Parser, RefusesEndlessText) {
  std::string text = "x";
  while (text.size() < 5000) text += "+x";
  EXPECT_THAT([&] { parse(source(text)); }, throws_user_error("at most 4096 characters"));
}

}  // namespace
}  // namespace layerlab::equation
