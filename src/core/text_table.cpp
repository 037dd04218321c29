#include "core/text_table.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string_view>

#include "core/text.h"

namespace layerlab {
namespace {

constexpr std::string_view kGap = "  ";
constexpr int kGapWidth = static_cast<int>(kGap.size());
constexpr int kNarrowest = 20;  // of a column that wraps, and of a terminal

using Row = std::vector<TextCell>;

Row titles(const TextTable& table) {
  Row cells;
  for (const TextColumn& column : table.columns) cells.emplace_back(column.title);
  return cells;
}

bool is_heading(const TextTable& table, const Row& row) {
  return row.size() == 1 && table.columns.size() > 1;
}

class Printer {
 public:
  Printer(const TextTable& table, const TextStyle& style)
      : table_(table), style_(style), available_(std::max(style.width, kNarrowest)) {
    for (const TextColumn& column : table.columns) widths_.push_back(display_width(column.title));
    for (const Row& row : table.rows) {
      if (is_heading(table, row)) continue;
      assert(row.size() == widths_.size());
      for (std::size_t i = 0; i < row.size(); ++i) {
        const int width = display_width(visible(row[i].text));
        widths_[i] =
            std::max(widths_[i], table.columns[i].wraps ? std::min(width, kNarrowest) : width);
      }
    }
    end_lines();
  }

  std::string run() {
    add(titles(table_));
    for (const Row& row : table_.rows) {
      if (is_heading(table_, row)) {
        text_ += visible(row[0].text) + "\n";
      } else {
        add(row);
      }
    }
    return std::move(text_);
  }

 private:
  // Where the lines of a row end: behind the last column of each.
  void end_lines() {
    const std::size_t count = widths_.size();
    const int gaps = kGapWidth * (static_cast<int>(count) - 1);
    if (std::accumulate(widths_.begin(), widths_.end(), style_.indent + gaps) > available_) {
      int used = style_.indent + widths_.front();
      for (std::size_t i = 1; i < count; ++i) {
        used += kGapWidth + widths_[i];
        if (!table_.columns[i].begins_line && used <= available_) continue;
        ends_.push_back(i);
        used = style_.indent + kGapWidth + widths_[i];
      }
    }
    ends_.push_back(count);
  }

  void add(const Row& row) {
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      std::string line(static_cast<std::size_t>(style_.indent), ' ');
      int used = style_.indent;
      for (std::size_t i = begin; i < end; ++i) {
        if (i > 0) line += kGap, used += kGapWidth;
        add_cell(row[i], i, i + 1 == end, used, line);
        used += widths_[i];
      }
      add_line(line);
      begin = end;
    }
  }

  // Padded to the column's width, except on the right of a line; `used` columns come before it.
  void add_cell(const TextCell& cell, std::size_t column, bool last, int used, std::string& line) {
    std::string text = visible(cell.text);
    if (table_.columns[column].wraps) {
      assert(last);
      std::vector<std::string> parts = wrap(text, std::max(available_ - used, kNarrowest), 0);
      text = std::move(parts.back());
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        add_line(line + coloured(parts[i], cell.colour));
        line.assign(static_cast<std::size_t>(used), ' ');
      }
    }
    const int missing = widths_[column] - display_width(text);
    const std::string padding(static_cast<std::size_t>(std::max(missing, 0)), ' ');
    if (table_.columns[column].right) {
      text = padding + text;
    } else if (!last) {
      text += padding;
    }
    line += coloured(text, cell.colour);
  }

  std::string coloured(const std::string& text, const char* colour) const {
    return style_.colour && colour != nullptr ? colour + text + "\033[0m" : text;
  }

  void add_line(const std::string& line) {
    const std::size_t end = line.find_last_not_of(' ') + 1;
    if (end > 0) text_.append(line, 0, end) += '\n';
  }

  const TextTable& table_;
  const TextStyle& style_;
  const int available_;
  std::vector<int> widths_;
  std::vector<std::size_t> ends_;
  std::string text_;
};

}  // namespace

std::string to_text(const TextTable& table, const TextStyle& style) {
  return Printer(table, style).run();
}

std::string to_markdown(const TextTable& table) {
  std::string text;
  const auto add = [&](const Row& row) {
    for (const TextCell& cell : row) text += "| " + cell.text + (cell.text.empty() ? "" : " ");
    text += "|\n";
  };
  add(titles(table));
  for (const TextColumn& column : table.columns) text += column.right ? "|---:" : "|---";
  text += "|\n";
  for (const Row& row : table.rows) add(row);
  return text;
}

}  // namespace layerlab
