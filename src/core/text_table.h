// Tables of text, aligned for a terminal or as Markdown.
#pragma once

#include <string>
#include <vector>

namespace layerlab {

struct TextColumn {
  std::string title;
  bool right = false;        // aligned so
  bool begins_line = false;  // where rows are too long for one line
};

struct TextCell {
  std::string text;              // UTF-8
  const char* colour = nullptr;  // an ANSI escape, or none
};

struct TextTable {
  std::vector<TextColumn> columns;
  std::vector<std::vector<TextCell>> rows;  // with a cell for every column
};

struct TextStyle {
  int width = 100;      // of the terminal, in columns
  bool colour = false;  // by ANSI escapes
};

// A line a row when that fits into the width. Else each row, and the titles, are broken before
// columns that begin a line, and wherever it is still too long; lines after the first are indented,
// and those without text are left out.
std::string to_text(const TextTable& table, const TextStyle& style);

// As GitHub shows it. The cells' text is Markdown; see markdown().
std::string to_markdown(const TextTable& table);

// Text as Markdown that shows it as it is, also in a table; links stay links.
std::string markdown(const std::string& text);

// Breaks text between words into lines of `width` columns, the later ones indented.
std::string wrapped(const std::string& text, int width);

// What a terminal shows of a text: UTF-8 characters, not bytes.
int shown_columns(const std::string& text);

}  // namespace layerlab
