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

std::string interval_text(const ClaimResult& result) {
  if (!result.interval) return "";
  return fmt::format("[{:#.4g}, {:#.4g}] {:.4g}%{}", result.interval->low, result.interval->high,
                     100 * result.level, result.paired ? "" : " unpaired");
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

TextCell verdict_cell(const ClaimResult& result) {
  constexpr const char* kGreen = "\033[32m";
  constexpr const char* kRed = "\033[31m";
  constexpr const char* kYellow = "\033[33m";
  const char* const unexpected = result.verdict == Verdict::kInconclusive ? kYellow : kRed;
  return {upper(to_text(result.verdict)), result.as_expected ? kGreen : unexpected};
}

// The id of a claim, and what is said of it.
std::string note(const std::string& text, int width) {
  std::string lines;
  for (const std::string& line : wrap(text, width, 4)) lines += line + "\n";
  return lines;
}

std::size_t run_count(const ClaimResult& result) {
  return result.where.size() + result.versus.size();
}

void add(const ClaimResult& result, Seconds& seconds) {
  for (const auto* const runs : {&result.where, &result.versus}) {
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

std::vector<TextCell> overview_row(const std::string& study, const ClaimResult& result) {
  Seconds seconds;
  add(result, seconds);
  const config::Claim& claim = result.claim;
  return {{study},
          {claim.id},
          {claim.source},
          {claim.expect.text + " " + claim.outcome},
          verdict_cell(result),
          {number_text(result.estimate)},
          {interval_text(result)},
          {std::to_string(run_count(result))},
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
    for (const ClaimResult& result : study.results) {
      table.rows.push_back(overview_row(study.name, result));
    }
  }
  return table;
}

std::string totals(const std::vector<JudgedStudy>& studies) {
  Seconds seconds;
  std::size_t claims = 0, as_expected = 0, warnings = 0;
  for (const JudgedStudy& study : studies) {
    for (const ClaimResult& result : study.results) {
      add(result, seconds);
      ++claims;
      as_expected += result.as_expected ? 1 : 0;
      warnings += result.warnings.size();
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

// The claims that are not as expected, each with the reason.
std::vector<std::pair<std::string, std::string>> surprises(
    const std::vector<JudgedStudy>& studies) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const JudgedStudy& study : studies) {
    for (const ClaimResult& result : study.results) {
      if (result.as_expected) continue;
      lines.emplace_back(study.name + " " + result.claim.id, verdict_text(result));
    }
  }
  return lines;
}

}  // namespace

std::string verdict_table(const std::vector<ClaimResult>& results, const TextStyle& style) {
  TextTable table;
  table.columns = {{"claim"},       {.title = "estimate [interval] level", .begins_line = true},
                   {"expected"},    {"verdict"},
                   {"as expected"}, {.title = "runs", .right = true}};
  for (const ClaimResult& result : results) {
    const std::string interval = interval_text(result);
    table.rows.push_back({{result.claim.id},
                          {number_text(result.estimate) + (interval.empty() ? "" : " " + interval)},
                          {result.claim.expect.text},
                          verdict_cell(result),
                          {result.as_expected ? "yes" : "no"},
                          {std::to_string(run_count(result))}});
  }
  std::string text = to_text(table, style);
  for (const ClaimResult& result : results) {
    const std::string& id = result.claim.id;
    if (!result.reason.empty()) text += note(visible(id + ": " + result.reason), style.width);
    for (const std::string& warning : result.warnings) {
      text += note(visible(id + ": warning: " + warning), style.width);
    }
  }
  return text;
}

std::string overview(const std::vector<JudgedStudy>& studies, const TextStyle& style) {
  std::string text = to_text(overview_table(studies), style);
  text += note(totals(studies), style.width);
  for (const auto& [claim, why] : surprises(studies)) {
    text += note(claim + ": " + why, style.width);
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
