// Equation text to tokens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "equation/block.h"

namespace layerlab::equation {

struct Token {
  enum class Kind { kNumber, kName, kSymbol, kEnd };

  Kind kind{};
  std::string text;  // a symbol is one character
  double number = 0;
  std::size_t begin = 0;

  bool is(char symbol) const { return kind == Kind::kSymbol && text[0] == symbol; }
  std::string described() const;  // for messages: "'+'", "the end"
};

// Whether `text` is one name and nothing else.
bool is_name(std::string_view text);

// Ends with a kEnd token. Throws UserError with a caret at a character that no token begins with.
std::vector<Token> lex(const Source& source);

}  // namespace layerlab::equation
