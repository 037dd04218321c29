#include "core/text_table.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <numeric>
#include <string_view>

namespace layerlab {
namespace {

constexpr std::string_view kGap = "  ";
constexpr int kGapWidth = static_cast<int>(kGap.size());

std::vector<TextCell> titles(const TextTable& table) {
  std::vector<TextCell> cells;
  for (const TextColumn& column : table.columns) cells.push_back({column.title});
  return cells;
}

std::vector<int> widths_of(const TextTable& table) {
  std::vector<int> widths;
  for (const TextColumn& column : table.columns) widths.push_back(shown_columns(column.title));
  for (const auto& row : table.rows) {
    assert(row.size() == widths.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], shown_columns(row[i].text));
    }
  }
  return widths;
}

// Where the lines of a row end: behind the last column of each.
std::vector<std::size_t> line_ends(const TextTable& table, const std::vector<int>& widths,
                                   int available) {
  const int gaps = kGapWidth * (static_cast<int>(widths.size()) - 1);
  const std::size_t count = table.columns.size();
  if (std::accumulate(widths.begin(), widths.end(), gaps) <= available) return {count};
  std::vector<std::size_t> ends;
  int used = widths.front();
  for (std::size_t i = 1; i < count; ++i) {
    used += kGapWidth + widths[i];
    if (!table.columns[i].begins_line && used <= available) continue;
    ends.push_back(i);
    used = kGapWidth + widths[i];  // the indent
  }
  ends.push_back(count);
  return ends;
}

// The cells padded, what ends the line on its right side left out.
std::string line_of(const TextTable& table, const std::vector<TextCell>& row,
                    const std::vector<int>& widths, std::size_t begin, std::size_t end,
                    bool colour) {
  std::string line(begin > 0 ? kGap : "");
  for (std::size_t i = begin; i < end; ++i) {
    const auto missing = static_cast<std::size_t>(widths[i] - shown_columns(row[i].text));
    const std::string padding(missing, ' ');
    std::string cell = row[i].text;
    if (table.columns[i].right) {
      cell = padding + cell;
    } else if (i + 1 < end) {
      cell += padding;
    }
    if (colour && row[i].colour != nullptr) cell = row[i].colour + cell + "\033[0m";
    line += (i > begin ? kGap : "");
    line += cell;
  }
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

std::string to_text(const TextTable& table, const TextStyle& style) {
  const std::vector<int> widths = widths_of(table);
  const std::vector<std::size_t> ends = line_ends(table, widths, std::max(style.width, 20));
  std::string text;
  const auto add = [&](const std::vector<TextCell>& row) {
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      const std::string line = line_of(table, row, widths, begin, end, style.colour);
      if (!line.empty()) text += line + "\n";
      begin = end;
    }
  };
  add(titles(table));
  for (const auto& row : table.rows) add(row);
  return text;
}

std::string to_markdown(const TextTable& table) {
  std::string text;
  const auto add = [&](const std::vector<TextCell>& row) {
    for (const TextCell& cell : row) text += "| " + cell.text + (cell.text.empty() ? "" : " ");
    text += "|\n";
  };
  add(titles(table));
  for (const TextColumn& column : table.columns) text += column.right ? "|---:" : "|---";
  text += "|\n";
  for (const auto& row : table.rows) add(row);
  return text;
}

std::string markdown(const std::string& text) {
  const auto is_word = [&](std::size_t i) {
    return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool inside_word = text[i] == '_' && i > 0 && is_word(i - 1) && is_word(i + 1);
    if (std::string_view("\\`*_<|").find(text[i]) != std::string_view::npos && !inside_word) {
      result += '\\';
    }
    result += text[i];
  }
  return result;
}

std::string wrapped(const std::string& text, int width) {
  constexpr std::string_view kIndent = "    ";
  std::string result;
  int column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (column > 0 && column + 1 + shown_columns(word) > width) {
      result += "\n";
      result += kIndent;
      column = static_cast<int>(kIndent.size());
    } else if (column > 0) {
      result += " ";
      ++column;
    }
    result += word;
    column += shown_columns(word);
    begin = end + 1;
  }
  return result + "\n";
}

int shown_columns(const std::string& text) {
  return static_cast<int>(
      std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace layerlab
