#include "claims/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/claims.h"
#include "core/table_reader.h"
#include "core/text.h"

namespace layerlab::claims {
namespace {

using config::ClaimKind;
using config::DivergedRule;
using stats::Verdict;

std::string row(const char* title, const std::string& text) {
  return text.empty() ? "" : fmt::format("  {:<10} {}\n", title, visible(text));
}

std::string text_of(const config::Selection& selection) {
  std::string text;
  for (const auto& [key, values] : selection) {
    const TomlNode list = values.size() == 1 ? values.front() : TomlNode{values, {}, {}, {}};
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, to_toml_value(list));
  }
  return text.empty() ? "all runs" : text;
}

// What turns the runs' numbers into the estimate.
std::string meaning_of(const ClaimResult& result) {
  const config::Claim& claim = result.claim;
  const std::string pairing = result.paired ? ", paired by seed" : ", of independent samples";
  switch (claim.kind) {
    case ClaimKind::kMean:
      return "mean of the runs";
    case ClaimKind::kRatio:
      return "geometric mean of where / versus" + pairing;
    case ClaimKind::kDifference:
      return "mean of where - versus" + pairing;
    case ClaimKind::kEquivalence:
      return "mean of where - versus" + pairing + ", inside a margin";
    case ClaimKind::kFraction:
      return "share of the runs whose measure is 1";
    case ClaimKind::kSlope:
      return "mean over the seeds of the slope along " + claim.along;
    case ClaimKind::kExponent:
      return "mean over the seeds of the log-log slope along " + claim.along;
    case ClaimKind::kTrend:
      return "mean over the seeds of Kendall's tau along " + claim.along;
  }
  return {};
}

std::string meaning_of(DivergedRule rule) {
  switch (rule) {
    case DivergedRule::kUndecided:
      return "a diverged run without a number leaves the claim undecided";
    case DivergedRule::kChance:
      return "a diverged run's lost losses count as those of guessing";
    case DivergedRule::kFailure:
      return "a diverged run counts as 0";
  }
  return {};
}

std::string runs_text(const char* title, const std::vector<RunNumber>& runs,
                      const std::string& along) {
  std::string text;
  for (const RunNumber& run : runs) {
    text += fmt::format("  {:<10} {}  seed {}", title, run.cell.substr(0, 12), run.seed);
    if (!along.empty()) text += fmt::format("  {} = {:g}", along, run.along);
    if (run.found) text += fmt::format("  found {:g}", *run.found);
    text += run.value ? fmt::format("  {:.6g}", *run.value) : "  " + visible(run.missing);
    text += run.diverged && run.value ? "  (diverged)\n" : "\n";
  }
  return text;
}

// "5", or "5 and 7" of two samples.
std::string counts_text(const ClaimResult& result) {
  const std::string versus =
      result.paired ? "" : fmt::format(" and {}", result.versus_sample.size());
  return std::to_string(result.sample.size()) + versus;
}

std::string rule_text(const ClaimResult& result) {
  const char* const relation = result.p <= 1 - result.level ? "<=" : ">";
  return fmt::format(
      "p = {:.3g} {} {:.3g}, which Holm's procedure held it against; {:.3g} for all claims "
      "together",
      result.p, relation, 1 - result.level, result.p_adjusted);
}

}  // namespace

std::string verdict_text(const ClaimResult& result) {
  const std::string expected = result.claim.expect.text;
  const std::string agreement = result.as_expected ? "as" : "not as";
  const auto because = [&](const std::string& why) {
    return fmt::format("{}, {} expected: {}", to_text(result.verdict), agreement, why);
  };
  switch (result.verdict) {
    case Verdict::kConfirmed:
      return because("the whole interval lies in " + expected);
    case Verdict::kRefuted:
      return because("the whole interval lies outside " + expected);
    case Verdict::kInconclusive:
      return because(result.reason);
  }
  return {};
}

std::string explanation(const ClaimResult& result) {
  const config::Claim& claim = result.claim;
  std::string text = visible(claim.id) + "\n";
  text += row("statement", claim.statement);
  text += row("source", claim.source);
  text += row("measure", claim.measure);
  text += row("kind", name_of(claim.kind) + ": " + meaning_of(result));
  text += row("expected", claim.expect.text);
  text += row("where", text_of(claim.where));
  if (config::compares(claim.kind)) text += row("versus", text_of(claim.versus));
  text += row("diverged", meaning_of(claim.diverged));
  text += runs_text("run", result.where, claim.along);
  text += runs_text("versus run", result.versus, "");
  const bool pairs = config::compares(claim.kind) && result.paired;
  if (pairs || config::follows_axis(claim.kind)) {
    for (const SeedNumber& number : result.sample) {
      text += row("seed", fmt::format("{}  {:.6g}", number.seed, number.value));
    }
  }
  if (result.estimate) text += row("estimate", fmt::format("{:.6g}", *result.estimate));
  if (result.interval) {
    text += row("interval", fmt::format("[{:.6g}, {:.6g}] at {:.4g}%, {} of {} numbers",
                                        result.interval->low, result.interval->high,
                                        100 * result.level, result.method, counts_text(result)));
    text += row("rule", rule_text(result));
  }
  text += row("verdict", verdict_text(result));
  for (const std::string& warning : result.warnings) text += row("warning", warning);
  return text;
}

}  // namespace layerlab::claims
