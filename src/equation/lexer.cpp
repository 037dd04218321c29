#include "equation/lexer.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "equation/syntax.h"

namespace layerlab::equation {
namespace {

// Independent of the locale, unlike <cctype>.
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The character at `at`, all bytes of it where it is UTF-8.
std::string character_at(const std::string& text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return text.substr(at, end - at);
}

std::string remedy_for(const std::string& character) {
  static const std::map<std::string, std::string> meant = {
      {"\u2212", "-"}, {"\u2013", "-"}, {"\u00b7", "*"}, {"\u00d7", "*"}, {"\u22c5", "*"}};
  if (character == "#") return "an equation has no comments; write them outside of its quotes";
  if (const auto found = meant.find(character); found != meant.end()) {
    return "write " + found->second;
  }
  const bool ascii = static_cast<unsigned char>(character[0]) < 0x80;
  return ascii ? "" : "names are of ASCII letters, digits and _, for example alpha";
}

}  // namespace

std::string Token::described() const { return kind == Kind::kEnd ? "the end" : "'" + text + "'"; }

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

std::vector<Token> lex(const Source& source) {
  const std::string& text = source.text;
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string::npos)
      ++at;
    Token token;
    token.begin = at;
    if (at == text.size()) {
      token.kind = Token::Kind::kEnd;
      tokens.push_back(token);
      return tokens;
    }
    std::size_t end = at;
    const char c = text[at];
    if (is_letter(c)) {
      token.kind = Token::Kind::kName;
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    } else if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      token.kind = Token::Kind::kNumber;
      const auto [stop, error] =
          std::from_chars(text.data() + at, text.data() + text.size(), token.number);
      if (error != std::errc()) fail(source, at, "expected a number that a double can hold");
      end = stop - text.data();
    } else if (std::string_view("+-*/^=;(),[]:@").find(c) != std::string_view::npos) {
      token.kind = Token::Kind::kSymbol;
      ++end;
    } else {
      const std::string character = character_at(text, at);
      fail(source, at, "expected a name, a number or an operator, got '" + character + "'",
           remedy_for(character));
    }
    token.text = text.substr(at, end - at);
    tokens.push_back(token);
    at = end;
  }
}

}  // namespace layerlab::equation
