#include <algorithm>
#include <string_view>
#include <utility>

#include "core/text.h"
#include "equation/lexer.h"
#include "equation/syntax.h"

namespace layerlab::equation {
namespace {

using Kind = Expression::Kind;

// Bounds of the recursion here and in the compiler.
constexpr int kMaxNesting = 100;
constexpr std::size_t kMaxLength = 4096;

class Parser {
 public:
  explicit Parser(const Source& source) : source_(source), tokens_(lex(source)) {}

  std::vector<Statement> equation() {
    std::vector<Statement> statements;
    while (token().kind != Token::Kind::kEnd) {
      statements.push_back(statement());
      if (token().kind != Token::Kind::kEnd) expect(';', "an operator, ';' or the end");
    }
    return statements;
  }

 private:
  const Token& token(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }

  bool accept(char symbol) {
    if (!token().is(symbol)) return false;
    ++next_;
    return true;
  }

  void expect(char symbol, const std::string& expected) {
    if (!accept(symbol)) refuse(expected);
  }

  [[noreturn]] void refuse(const std::string& expected) const {
    fail(source_, token().begin, "expected " + expected + ", got " + token().described());
  }

  bool at_assignment() const { return token().kind == Token::Kind::kName && token(1).is('='); }

  Statement statement() {
    Statement result;
    result.begin = token().begin;
    result.target = "x";
    if (at_assignment()) {
      result.target = token().text;
      next_ += 2;
    }
    result.value = sum();
    return result;
  }

  Expression binary(Kind kind, std::size_t begin, Expression left, Expression right) {
    Expression result;
    result.kind = kind;
    result.begin = begin;
    result.operands = {std::move(left), std::move(right)};
    return result;
  }

  Expression sum() {
    Expression result = product();
    while (token().is('+') || token().is('-')) {
      const Kind kind = token().is('+') ? Kind::kSum : Kind::kDifference;
      const std::size_t begin = tokens_[next_++].begin;
      result = binary(kind, begin, std::move(result), product());
    }
    return result;
  }

  Expression product() {
    Expression result = factor();
    while (token().is('*') || token().is('/') || token().is('@')) {
      const Kind kind = token().is('*')   ? Kind::kProduct
                        : token().is('/') ? Kind::kQuotient
                                          : Kind::kMatrixProduct;
      const std::size_t begin = tokens_[next_++].begin;
      result = binary(kind, begin, std::move(result), factor());
    }
    return result;
  }

  Expression factor() {
    // Every recursion of the grammar passes here, so this bounds the stack.
    if (++nesting_ > kMaxNesting) fail(source_, token().begin, "expected less nesting");
    Expression result;
    result.begin = token().begin;
    if (accept('-')) {
      result.kind = Kind::kMinus;
      result.operands = {factor()};
    } else {
      result = postfix();
      if (token().is('^')) {
        const std::size_t begin = tokens_[next_++].begin;
        result = binary(Kind::kPower, begin, std::move(result), factor());
      }
    }
    --nesting_;
    return result;
  }

  Expression postfix() {
    Expression result = primary();
    while (token().is('[')) {
      Expression part;
      part.begin = tokens_[next_++].begin;
      const std::string& digits = token().text;
      if (token().kind != Token::Kind::kNumber ||
          digits.find_first_not_of("0123456789") != std::string::npos || digits.size() > 6) {
        refuse("an index such as 0");
      }
      part.number = tokens_[next_++].number;
      part.kind = accept(':') ? Kind::kSliceFrom : Kind::kIndex;
      expect(']', "':' or ']'");
      part.operands = {std::move(result)};
      result = std::move(part);
    }
    return result;
  }

  Expression primary() {
    Expression result;
    result.begin = token().begin;
    if (accept('(')) {
      result = sum();
      expect(')', "an operator or ')'");
    } else if (token().kind == Token::Kind::kNumber) {
      result.kind = Kind::kNumber;
      result.number = tokens_[next_++].number;
    } else if (token().kind == Token::Kind::kName) {
      result.kind = Kind::kName;
      result.name = tokens_[next_++].text;
      if (accept('(')) {
        result.kind = Kind::kCall;
        arguments(result);
      }
    } else {
      refuse("a name, a number or '('");
    }
    return result;
  }

  void arguments(Expression& call) {
    if (accept(')')) return;
    do {
      if (at_assignment()) {
        Option option;
        option.begin = token().begin;
        option.name = token().text;
        for (const Option& earlier : call.options) {
          if (earlier.name != option.name) continue;
          fail(source_, option.begin, "expected " + option.name + " once in " + call.name + "(...)",
               "remove one of them");
        }
        next_ += 2;
        option.value = sum();
        call.options.push_back(std::move(option));
      } else if (call.options.empty()) {
        call.operands.push_back(sum());
      } else {
        refuse("another option");
      }
    } while (accept(','));
    expect(')', "an operator, ',' or ')'");
  }

  const Source& source_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  int nesting_ = 0;
};

}  // namespace

std::vector<Statement> parse(const Source& source) {
  if (source.text.size() > kMaxLength) {
    fail(source, kMaxLength, "expected at most " + std::to_string(kMaxLength) + " characters");
  }
  return Parser(source).equation();
}

namespace {

std::size_t begin_of_line(const std::string& text, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  return before == std::string::npos ? 0 : before + 1;
}

}  // namespace

Place place_of(const Source& source, std::size_t offset) {
  const std::string& text = source.text;
  const std::size_t line_begin = begin_of_line(text, offset);
  Place place = source.place;
  if (line_begin == 0) {
    place.column += static_cast<int>(offset);
  } else {
    place.line += static_cast<int>(std::count(text.begin(), text.begin() + line_begin, '\n'));
    place.column = static_cast<int>(offset - line_begin) + 1;
  }
  return place;
}

void fail(const Source& source, std::size_t offset, const std::string& expected,
          const std::string& remedy) {
  const std::string& text = source.text;
  const std::size_t line_begin = begin_of_line(text, offset);
  const std::size_t line_end = std::min(text.find('\n', line_begin), text.size());
  std::string excerpt = caret_excerpt(
      std::string_view(text).substr(line_begin, line_end - line_begin), offset - line_begin);
  excerpt.replace(excerpt.find('\n'), 1, "\n  ");
  throw UserError(place_of(source, offset), expected, remedy, "  " + excerpt);
}

}  // namespace layerlab::equation
