// The grammar of equations, and nothing of their meaning.
//
//   equation   = statement { ";" statement } [ ";" ]
//   statement  = [ name "=" ] sum                       a bare expression assigns x
//   sum        = product { ("+" | "-") product }
//   product    = factor { ("*" | "/" | "@") factor }
//   factor     = "-" factor | power                     so -x^2 is -(x^2)
//   power      = postfix [ "^" factor ]                 right-associative
//   postfix    = primary { "[" digits [ ":" ] "]" }       an index, or what begins there
//   primary    = number | name | name "(" arguments ")" | "(" sum ")"
//   arguments  = [ sum { "," sum } ] [ { "," } option { "," option } ]
//   option     = name "=" sum
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "equation/block.h"

namespace layerlab::equation {

struct Option;

struct Expression {
  enum class Kind {
    kNumber,
    kName,
    kCall,
    kSum,
    kDifference,
    kProduct,
    kQuotient,
    kMatrixProduct,
    kPower,
    kMinus,
    kIndex,
    kSliceFrom,
  };

  Kind kind{};
  std::string name;   // kName, kCall
  double number = 0;  // kNumber; kIndex and kSliceFrom: the index
  std::vector<Expression> operands;
  std::vector<Option> options;  // kCall
  std::size_t begin = 0;        // offset into the text, for messages
};

struct Option {
  std::string name;
  Expression value;
  std::size_t begin = 0;
};

struct Statement {
  std::string target;
  Expression value;
  std::size_t begin = 0;
};

// Throws UserError with a caret where the text does not follow the grammar, nests deeper than 100
// levels or is longer than 4096 characters. Empty text gives no statements.
std::vector<Statement> parse(const Source& source);

// Where the character at `offset` of the text stands in the user's file.
Place place_of(const Source& source, std::size_t offset);

// Throws UserError at `offset` of the text, with the line and a caret as its excerpt.
[[noreturn]] void fail(const Source& source, std::size_t offset, const std::string& expected,
                       const std::string& remedy = {});

}  // namespace layerlab::equation
