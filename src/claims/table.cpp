#include "claims/table.h"

#include <fmt/format.h>

#include <optional>

#include "claims/explain.h"
#include "core/names.h"
#include "core/text.h"

namespace layerlab::claims {
namespace {

using stats::Verdict;

std::string number_text(const std::optional<double>& value) {
  return value ? fmt::format("{:#.4g}", *value) : "-";
}

std::string interval_text(const Answer& answer) {
  if (!answer.interval) return "";
  return fmt::format("[{:#.4g}, {:#.4g}] {:.4g}%{}", answer.interval->low, answer.interval->high,
                     100 * answer.level, answer.paired ? "" : " unpaired");
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

TextCell verdict_cell(const Answer& answer) {
  constexpr const char* kGreen = "\033[32m";
  constexpr const char* kRed = "\033[31m";
  constexpr const char* kYellow = "\033[33m";
  const char* const unexpected = answer.verdict == Verdict::kInconclusive ? kYellow : kRed;
  return {upper(to_text(answer.verdict)), answer.as_expected ? kGreen : unexpected};
}

std::string wrapped(const std::string& text, int width) {
  std::string lines;
  for (const std::string& line : wrap(text, width, 4)) lines += line + "\n";
  return lines;
}

std::size_t run_count(const Answer& answer) { return answer.where.size() + answer.versus.size(); }

void add(const Answer& answer, Seconds& seconds) {
  for (const auto* const runs : {&answer.where, &answer.versus}) {
    for (const RunNumber& run : *runs) seconds.insert(run.seconds.begin(), run.seconds.end());
  }
}

std::string time_text(const Seconds& seconds) {
  double sum = 0;
  bool known = false;
  for (const auto& [cell, part] : seconds) {
    sum += part.value_or(0);
    known |= part.has_value();
  }
  return known ? duration_text(sum) : "-";
}

std::vector<TextCell> overview_row(const std::string& study, const Answer& answer) {
  Seconds seconds;
  add(answer, seconds);
  const config::Claim& claim = answer.claim;
  return {{study},
          {claim.id},
          {claim.source},
          {claim.expect.text + " " + claim.outcome},
          verdict_cell(answer),
          {number_text(answer.estimate)},
          {interval_text(answer)},
          {std::to_string(run_count(answer))},
          {time_text(seconds)}};
}

TextTable overview_table(const std::vector<JudgedStudy>& studies) {
  TextTable table;
  table.columns = {{"study"},
                   {"claim"},
                   {.title = "source", .begins_line = true},
                   {"expected"},
                   {.title = "verdict", .begins_line = true},
                   {.title = "estimate", .right = true},
                   {"interval"},
                   {.title = "runs", .right = true},
                   {.title = "time", .right = true}};
  for (const JudgedStudy& study : studies) {
    for (const Answer& answer : study.answers) {
      table.rows.push_back(overview_row(study.name, answer));
    }
  }
  return table;
}

std::string totals(const std::vector<JudgedStudy>& studies) {
  Seconds seconds;
  std::size_t claims = 0, as_expected = 0, warnings = 0;
  for (const JudgedStudy& study : studies) {
    for (const Answer& answer : study.answers) {
      add(answer, seconds);
      ++claims;
      as_expected += answer.as_expected ? 1 : 0;
      warnings += answer.warnings.size();
    }
  }
  std::string text = fmt::format("{} of {} as expected; {}, {} of training", as_expected,
                                 counted(static_cast<std::int64_t>(claims), "claim"),
                                 counted(std::ssize(seconds), "run"), time_text(seconds));
  if (warnings > 0) {
    text += fmt::format("; {}, which verify tells of each study alone",
                        counted(static_cast<std::int64_t>(warnings), "warning"));
  }
  return text;
}

// Of the claims that are not as expected: which, and why.
std::vector<std::pair<std::string, std::string>> surprises(
    const std::vector<JudgedStudy>& studies) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const JudgedStudy& study : studies) {
    for (const Answer& answer : study.answers) {
      if (answer.as_expected) continue;
      lines.emplace_back(study.name + " " + answer.claim.id, verdict_text(answer));
    }
  }
  return lines;
}

}  // namespace

std::string verdict_table(const std::vector<Answer>& answers, const TextStyle& style) {
  TextTable table;
  table.columns = {{"claim"},       {.title = "estimate [interval] level", .begins_line = true},
                   {"expected"},    {"verdict"},
                   {"as expected"}, {.title = "runs", .right = true}};
  for (const Answer& answer : answers) {
    const std::string interval = interval_text(answer);
    table.rows.push_back({{answer.claim.id},
                          {number_text(answer.estimate) + (interval.empty() ? "" : " " + interval)},
                          {answer.claim.expect.text},
                          verdict_cell(answer),
                          {answer.as_expected ? "yes" : "no"},
                          {std::to_string(run_count(answer))}});
  }
  std::string text = to_text(table, style);
  for (const Answer& answer : answers) {
    const std::string& id = answer.claim.id;
    if (!answer.reason.empty()) text += wrapped(id + ": " + answer.reason, style.width);
    for (const std::string& warning : answer.warnings) {
      text += wrapped(id + ": warning: " + warning, style.width);
    }
  }
  return text;
}

std::string overview(const std::vector<JudgedStudy>& studies, const TextStyle& style) {
  std::string text = to_text(overview_table(studies), style);
  text += wrapped(totals(studies), style.width);
  for (const auto& [claim, why] : surprises(studies)) {
    text += wrapped(claim + ": " + why, style.width);
  }
  return text;
}

std::string overview_markdown(const std::vector<JudgedStudy>& studies) {
  TextTable table = overview_table(studies);
  for (auto& row : table.rows) {
    for (TextCell& cell : row) cell.text = markdown(cell.text);
  }
  std::string text = to_markdown(table) + "\n" + markdown(totals(studies)) + ".\n";
  const auto lines = surprises(studies);
  if (!lines.empty()) text += "\nNot as expected:\n\n";
  for (const auto& [claim, why] : lines) text += "- " + markdown(claim + ": " + why) + "\n";
  return text;
}

}  // namespace layerlab::claims
