#include "claims/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace layerlab::claims {
namespace {

using stats::Verdict;

constexpr std::size_t kColumns = 6;
using Row = std::array<std::string, kColumns>;
constexpr std::size_t kVerdictColumn = 3;
const Row kTitles = {"claim", "estimate [interval] level", "expected", "verdict", "as expected",
                     "runs"};

std::string estimate_text(const Answer& answer) {
  if (!answer.estimate) return "-";
  std::string text = fmt::format("{:#.4g}", *answer.estimate);
  if (answer.interval) {
    text += fmt::format(" [{:#.4g}, {:#.4g}] {:.4g}%", answer.interval->low, answer.interval->high,
                        100 * answer.level);
    if (!answer.paired) text += " unpaired";
  }
  return text;
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

Row row_of(const Answer& answer) {
  const std::size_t runs = answer.where.size() + answer.versus.size();
  return {answer.claim.id,
          estimate_text(answer),
          answer.claim.expect.text,
          upper(to_text(answer.verdict)),
          answer.as_expected ? "yes" : "no",
          std::to_string(runs)};
}

const char* colour_of(const Answer& answer) {
  constexpr const char* kGreen = "\033[32m";
  constexpr const char* kRed = "\033[31m";
  constexpr const char* kYellow = "\033[33m";
  if (answer.as_expected) return kGreen;
  return answer.verdict == Verdict::kInconclusive ? kYellow : kRed;
}

std::array<std::size_t, kColumns> widths_of(const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  return widths;
}

constexpr std::string_view kGap = "  ";

// The cells from `first` on, padded. `colour`, if any, goes around the verdict and is not counted.
std::string line_of(const Row& row, const std::array<std::size_t, kColumns>& widths,
                    std::size_t first, const char* colour) {
  std::string line;
  for (std::size_t i = first; i < kColumns; ++i) {
    std::string cell = fmt::format("{:<{}}", row[i], widths[i]);
    if (i + 1 == kColumns) cell = fmt::format("{:>{}}", row[i], widths[i]);
    if (colour != nullptr && i == kVerdictColumn) cell = colour + cell + "\033[0m";
    line += (i > first ? kGap : "");
    line += cell;
  }
  return line + "\n";
}

// Breaks text between words into lines of `width`, the later ones indented.
std::string wrapped(const std::string& text, std::size_t width) {
  constexpr std::string_view kIndent = "    ";
  std::string result;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (column > 0 && column + 1 + word.size() > width) {
      result += "\n";
      result += kIndent;
      column = kIndent.size();
    } else if (column > 0) {
      result += " ";
      ++column;
    }
    result += word;
    column += word.size();
    begin = end + 1;
  }
  return result + "\n";
}

}  // namespace

std::string verdict_table(const std::vector<Answer>& answers, const TableStyle& style) {
  std::vector<Row> rows = {kTitles};
  for (const Answer& answer : answers) rows.push_back(row_of(answer));
  const auto widths = widths_of(rows);
  std::size_t total = kGap.size() * (kColumns - 1);
  for (const std::size_t width : widths) total += width;
  const std::size_t available = static_cast<std::size_t>(std::max(style.width, 20));
  const bool stacked = total > available;

  const auto line = [&](const Row& row, const char* colour) {
    if (!stacked) return line_of(row, widths, 0, colour);
    return row[0] + "\n" + std::string(kGap) + line_of(row, widths, 1, colour);
  };
  std::string table = line(kTitles, nullptr);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    table += line(rows[i + 1], style.colour ? colour_of(answers[i]) : nullptr);
  }
  for (const Answer& answer : answers) {
    if (!answer.reason.empty()) table += wrapped(answer.claim.id + ": " + answer.reason, available);
    for (const std::string& warning : answer.warnings) {
      table += wrapped(answer.claim.id + ": warning: " + warning, available);
    }
  }
  return table;
}

}  // namespace layerlab::claims
