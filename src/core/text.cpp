#include "core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace layerlab {
namespace {

constexpr std::size_t kExcerpt = 60;  // bytes on either side of a caret
constexpr std::string_view kCut = "…";

struct CodeRange {
  char32_t first, last;
};

// Spelled out by visible(); see there.
constexpr std::array kControls = {CodeRange{0x00, 0x1f},     CodeRange{0x7f, 0x9f},
                                  CodeRange{0x61c, 0x61c},   CodeRange{0x200b, 0x200b},
                                  CodeRange{0x200e, 0x200f}, CodeRange{0x2028, 0x202e},
                                  CodeRange{0x2060, 0x206f}, CodeRange{0xfeff, 0xfeff},
                                  CodeRange{0xfff9, 0xfffb}, CodeRange{0xe0000, 0xe007f}};

// Unicode 15: the blocks of combining marks that texts use, joiners and variation selectors.
constexpr std::array kNoWidth = {
    CodeRange{0x300, 0x36f},   CodeRange{0x483, 0x489},   CodeRange{0x591, 0x5bd},
    CodeRange{0x610, 0x61a},   CodeRange{0x64b, 0x65f},   CodeRange{0x1ab0, 0x1aff},
    CodeRange{0x1dc0, 0x1dff}, CodeRange{0x200c, 0x200d}, CodeRange{0x20d0, 0x20ff},
    CodeRange{0xfe00, 0xfe0f}, CodeRange{0xfe20, 0xfe2f}, CodeRange{0xe0100, 0xe01ef}};

// Unicode 15, EastAsianWidth W and F, by blocks.
constexpr std::array kWide = {
    CodeRange{0x1100, 0x115f},   CodeRange{0x2e80, 0x303e},   CodeRange{0x3041, 0xa4cf},
    CodeRange{0xa960, 0xa97c},   CodeRange{0xac00, 0xd7a3},   CodeRange{0xf900, 0xfaff},
    CodeRange{0xfe30, 0xfe6f},   CodeRange{0xff01, 0xff60},   CodeRange{0xffe0, 0xffe6},
    CodeRange{0x1f300, 0x1f64f}, CodeRange{0x1f680, 0x1f6ff}, CodeRange{0x1f900, 0x1f9ff},
    CodeRange{0x20000, 0x3fffd}};

template <std::size_t N>
bool is_in(const std::array<CodeRange, N>& ranges, char32_t code) {
  return std::ranges::any_of(
      ranges, [code](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

struct Character {
  std::string_view bytes;
  char32_t code;
  bool valid;
};

// The first character of a text that is not empty; one byte where it is not UTF-8.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {text.substr(0, 1), lead, true};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  const Character invalid{text.substr(0, 1), lead, false};
  if (lead < 0xc2 || lead > 0xf4 || size > text.size()) return invalid;
  char32_t code = lead & (0xff >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return invalid;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[size] || surrogate || code > 0x10ffff) return invalid;
  return {text.substr(0, size), code, true};
}

template <typename Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const Character character = first_character(text);
    visit(character);
    text.remove_prefix(character.bytes.size());
  }
}

std::string spelled_out(const Character& character) {
  if (character.code == '\n') return "\\n";
  if (character.code == '\t') return "\\t";
  if (character.code == '\r') return "\\r";
  const auto code = static_cast<std::uint32_t>(character.code);
  if (!character.valid || code < 0x80) return fmt::format("\\x{:02x}", code);
  return code > 0xffff ? fmt::format("\\U{:08x}", code) : fmt::format("\\u{:04x}", code);
}

// The nearest place at or before `at` that does not divide a character.
std::size_t boundary(std::string_view text, std::size_t at) {
  for (int i = 0; i < 3 && at > 0 && at < text.size() && (text[at] & 0xc0) == 0x80; ++i) --at;
  return at;
}

}  // namespace

int display_width(std::string_view text) {
  int columns = 0;
  for_each_character(text, [&](const Character& character) {
    if (character.valid && is_in(kNoWidth, character.code)) return;
    columns += character.valid && is_in(kWide, character.code) ? 2 : 1;
  });
  return columns;
}

std::string visible(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for_each_character(text, [&](const Character& character) {
    if (character.valid && !is_in(kControls, character.code)) {
      result += character.bytes;
    } else {
      result += spelled_out(character);
    }
  });
  return result;
}

std::string shortened(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  const std::size_t kept = bytes - std::min(bytes, kCut.size());
  const std::size_t tail = boundary(text, text.size() - kept / 3);
  std::string result(text.substr(0, boundary(text, kept - (text.size() - tail))));
  result += kCut;
  result += text.substr(tail);
  return result;
}

std::string caret_excerpt(std::string_view line, std::size_t offset) {
  const std::size_t at = std::min(offset, line.size());
  const std::size_t begin = boundary(line, at - std::min(at, kExcerpt));
  const std::size_t end = boundary(line, std::min(line.size(), at + kExcerpt));
  // A tab is no danger, and code is indented by it.
  const auto shown = [&](std::size_t from, std::size_t to) {
    std::string part(line.substr(from, to - from));
    std::ranges::replace(part, '\t', ' ');
    return visible(part);
  };
  const std::string before = (begin > 0 ? std::string(kCut) : "") + shown(begin, at);
  const std::string after = shown(at, end) + (end < line.size() ? std::string(kCut) : "");
  const auto under = static_cast<std::size_t>(display_width(before));
  return before + after + "\n" + std::string(under, ' ') + "^";
}

std::vector<std::string> wrap(std::string_view text, int width, int indent) {
  const int most = std::max(width, indent + 10);
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::vector<std::string> lines(1);
  int used = 0;           // columns of the last line
  bool has_word = false;  // on the last line
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', blanks), text.size());
    const std::string_view word = text.substr(blanks, end - blanks);
    const int columns = display_width(word);
    if (has_word && !word.empty() && used + static_cast<int>(blanks) + columns > most) {
      lines.push_back(margin);
      used = indent;
    } else if (!word.empty()) {
      lines.back().append(blanks, ' ');
      used += static_cast<int>(blanks);
    }
    lines.back() += word;
    used += columns;
    has_word = true;
    text.remove_prefix(end);
  }
  return lines;
}

std::string markdown(std::string_view text) {
  const std::string shown = visible(text);
  const auto at = [&](std::size_t i) { return i < shown.size() ? shown[i] : ' '; };
  const auto is_word = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(at(i))) != 0;
  };
  std::string result;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool inside_word = c == '_' && i > 0 && is_word(i - 1) && is_word(i + 1);
    const bool marks = std::string_view("\\`*_<|&~").find(c) != std::string_view::npos;
    const bool names_link =
        c == ']' && std::string_view("([:").find(at(i + 1)) != std::string::npos;
    const bool heads_line = i == 0 && std::string_view("#>+-=").find(c) != std::string_view::npos;
    if ((marks && !inside_word) || names_link || heads_line) result += '\\';
    result += c;
  }
  return result;
}

}  // namespace layerlab
