#include "claims/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "claims/estimate.h"
#include "claims/judge.h"
#include "stats/humps.h"
#include "tasks/catalogue.h"

namespace layerlab::claims {
namespace {

using config::Cell;
using config::ClaimKind;
using record::CellState;

RunNumber number_of(const Cell& cell, const Measure& measure, const record::CellFolder& folder) {
  RunNumber run{cell.id, cell.config.seed, std::nullopt, {}};
  const CellState state = record::read_state(folder);
  switch (state) {
    case CellState::kMissing:
      run.missing = "was never started";
      return run;
    case CellState::kBegun:
      run.missing = "has not finished";
      return run;
    case CellState::kFinished:
    case CellState::kDiverged:
      break;
  }
  const double chance_loss =
      tasks::make_task({cell.config.task, cell.config.model.kind, {}})->shape().chance_loss;
  const Measurement result = measure.of(record::Reader(folder.record()), chance_loss);
  run.value = result.value;
  run.missing = result.missing;
  if (state == CellState::kDiverged && !run.value) run.missing = "diverged: " + run.missing;
  return run;
}

// Every missing number, or "" when all are there.
std::string missing_numbers(const Answer& answer) {
  std::string list;
  std::size_t missing = 0;
  for (const auto* const runs : {&answer.where, &answer.versus}) {
    for (const RunNumber& run : *runs) {
      if (run.value) continue;
      ++missing;
      list += fmt::format("; seed {} ({}) {}", run.seed, run.cell, run.missing);
    }
  }
  if (missing == 0) return {};
  return fmt::format("{} of {} runs gave no number{}", missing,
                     answer.where.size() + answer.versus.size(), list);
}

std::vector<double> values_of(const std::vector<RunNumber>& runs) {
  std::vector<double> values;
  for (const RunNumber& run : runs) values.push_back(*run.value);
  return values;
}

// The estimate of the claim's kind, or nothing and the reason in the answer.
std::optional<Estimate> estimate_kind(Answer& answer) {
  const std::vector<double> values = values_of(answer.where);
  switch (answer.claim.kind) {
    case ClaimKind::kMean:
      if (stats::look_two_humped(values)) {
        answer.warnings.push_back(
            "the runs fall into two groups, which no mean describes; ask for the fraction of them "
            "in one group (kind = \"fraction\")");
      }
      return estimate_mean(values);
    case ClaimKind::kFraction: {
      const auto odd = std::ranges::find_if(values, [](double v) { return v != 0 && v != 1; });
      if (odd == values.end()) return estimate_fraction(values);
      throw UserError(answer.claim.measure_place,
                      fmt::format("the measure of a fraction must be 0 or 1; it was {}", *odd),
                      "compare it with something: final('loss') < 0.3");
    }
    case ClaimKind::kRatio: {
      const std::vector<double> denominators = values_of(answer.versus);
      const auto positive = [](double value) { return value > 0; };
      if (std::ranges::all_of(values, positive) && std::ranges::all_of(denominators, positive)) {
        return estimate_ratio(values, denominators);
      }
      answer.reason = "a ratio needs positive numbers, and some runs gave others";
      return std::nullopt;
    }
  }
  return std::nullopt;
}

// As above, for an estimate that has an interval.
std::optional<Estimate> estimate(Answer& answer) {
  answer.reason = missing_numbers(answer);
  if (!answer.reason.empty()) return std::nullopt;
  const std::optional<Estimate> estimate = estimate_kind(answer);
  if (!estimate) return std::nullopt;
  answer.estimate = estimate->value;
  if (estimate->n >= 2 || answer.claim.kind == ClaimKind::kFraction) return estimate;
  answer.reason = "one run tells nothing of the spread between seeds";
  return std::nullopt;
}

}  // namespace

std::vector<Answer> evaluate(const std::vector<Question>& questions, const CellFolders& folders) {
  std::vector<Answer> answers;
  std::vector<std::optional<Estimate>> estimates;
  for (const Question& question : questions) {
    const auto numbers = [&](const std::vector<Cell>& cells) {
      std::vector<RunNumber> runs;
      for (const Cell& cell : cells) {
        runs.push_back(number_of(cell, question.measure, folders(cell.id)));
      }
      return runs;
    };
    Answer& answer = answers.emplace_back();
    answer.claim = question.claim;
    answer.where = numbers(question.where);
    answer.versus = numbers(question.versus);
    for (const std::string& axis : question.mixed) {
      answer.warnings.push_back("the runs differ in " + axis + ", so they sample no one setting");
    }
    estimates.push_back(estimate(answer));
  }
  judge(estimates, answers);
  return answers;
}

}  // namespace layerlab::claims
