// Tables of text, aligned for a terminal or as Markdown.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace layerlab {

struct TextColumn {
  std::string title;         // without any title, a table begins with its first row
  bool right = false;        // aligned so
  bool begins_line = false;  // where rows are too long for one line
  bool wraps = false;        // breaks between words to fit the width; only the last column may
};

struct TextCell {
  std::string text;    // UTF-8; printed as visible() shows it
  const char* colour;  // an ANSI escape, or none

  // Not explicit, so that a row in code reads like a list of texts.
  TextCell(std::string t, const char* c = nullptr) : text(std::move(t)), colour(c) {}
  TextCell(const char* t, const char* c = nullptr) : text(t), colour(c) {}
};

struct TextTable {
  std::vector<TextColumn> columns;
  // With a cell for every column; a row of one cell is a heading over the whole width.
  std::vector<std::vector<TextCell>> rows;
};

struct TextStyle {
  int width = 100;      // of the terminal, in columns
  bool colour = false;  // by ANSI escapes
  int indent = 0;       // of all lines but headings
};

// A line a row when that fits into the width. Else each row, and the titles, are broken before
// columns that begin a line, and wherever it is still too long; lines after the first are indented,
// and those without text are left out.
std::string to_text(const TextTable& table, const TextStyle& style);

// As GitHub shows it. The cells' text is Markdown; see markdown().
std::string to_markdown(const TextTable& table);

}  // namespace layerlab
