#include "claims/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "claims/finder.h"
#include "claims/weigh.h"
#include "record/manifest.h"

namespace layerlab::claims {
namespace {

using config::Cell;
using config::DivergedRule;
using config::Search;
using record::CellState;

// What the answers have in common.
struct Shared {
  const CellFolders& folders;
  ChanceLosses chance_losses = {};
  std::optional<Finder> finder = {};
  std::map<std::string, Finding> findings = {};  // of combinations, by the cell's id
};

const char* why_unfinished(CellState state) {
  return state == CellState::kMissing ? "was never started" : "has not finished";
}

RunNumber number_of(const Cell& cell, const Question& question, std::optional<double> found,
                    Shared& shared) {
  RunNumber run;
  run.cell = cell.id;
  run.seed = cell.config.seed;
  run.found = found;
  const record::CellFolder folder = shared.folders(cell.id);
  run.seconds[cell.id] = record::training_seconds(folder);
  const CellState state = record::read_state(folder);
  switch (state) {
    case CellState::kMissing:
    case CellState::kBegun:
      run.missing = why_unfinished(state);
      return run;
    case CellState::kFinished:
      break;
    case CellState::kDiverged:
      run.diverged = true;
      if (question.claim.diverged != DivergedRule::kFailure) break;
      run.value = 0;
      return run;
  }
  Facts facts{shared.chance_losses.of(cell)};
  facts.lost_is_chance = run.diverged && question.claim.diverged == DivergedRule::kChance;
  facts.found = found;
  const Measurement result = question.measure.of(record::Reader(folder.record()), facts);
  run.value = result.value;
  run.missing = result.missing;
  if (run.diverged && !run.value) run.missing = "diverged: " + run.missing;
  return run;
}

const Finding& find(const Cell& combination, const Search& search, Shared& shared) {
  if (!shared.finder) shared.finder.emplace(search);
  const auto [finding, is_new] = shared.findings.try_emplace(combination.id);
  if (is_new) finding->second = shared.finder->find(combination, shared.folders);
  return finding->second;
}

RunNumber number_of_found(const Finding& finding, const Question& question, Shared& shared) {
  const Search& search = *question.search;
  if (finding.found) {
    return number_of(finding.run, question, as_number(search.values[*finding.found]), shared);
  }
  RunNumber run;
  run.cell = finding.run.id;
  run.seed = finding.run.config.seed;
  if (finding.ended) {
    run.missing = fmt::format("no rung of {} passes, the lowest is {}", search.key,
                              to_toml_value(search.values.front()));
  } else {
    run.missing = fmt::format("is still searched: {} = {} {}", search.key,
                              to_toml_value(*find_path(finding.run.settings, search.key)),
                              why_unfinished(record::read_state(shared.folders(finding.run.id))));
  }
  return run;
}

RunNumber number_of_combination(const Cell& combination, const Question& question, Shared& shared) {
  const Finding& finding = find(combination, *question.search, shared);
  RunNumber run = number_of_found(finding, question, shared);
  for (const Cell& cell : finding.runs) {
    run.seconds[cell.id] = record::training_seconds(shared.folders(cell.id));
  }
  return run;
}

// Of runs found at the end of the ladder the true value may be larger.
void warn_of_the_highest_rung(const Search& search, Answer& answer) {
  const auto at_the_end = [&](const RunNumber& run) {
    return run.found == as_number(search.values.back());
  };
  const auto count = std::ranges::count_if(answer.where, at_the_end) +
                     std::ranges::count_if(answer.versus, at_the_end);
  if (count == 0) return;
  answer.warnings.push_back(fmt::format(
      "{} of {} runs pass at the highest rung, {} = {}, and may pass above it", count,
      answer.where.size() + answer.versus.size(), search.key, to_toml_value(search.values.back())));
}

// The answer with its runs' numbers only.
Answer ask(const Question& question, Shared& shared) {
  const auto numbers = [&](const std::vector<Cell>& cells) {
    std::vector<RunNumber> runs;
    for (const Cell& cell : cells) {
      runs.push_back(question.search ? number_of_combination(cell, question, shared)
                                     : number_of(cell, question, std::nullopt, shared));
    }
    return runs;
  };
  Answer answer;
  answer.claim = question.claim;
  answer.where = numbers(question.where);
  answer.versus = numbers(question.versus);
  answer.paired = question.paired;
  for (std::size_t i = 0; i < question.along.size(); ++i) answer.where[i].along = question.along[i];
  for (const std::string& axis : question.mixed) {
    answer.warnings.push_back("the runs differ in " + axis + ", so they sample no one setting");
  }
  if (question.search) warn_of_the_highest_rung(*question.search, answer);
  return answer;
}

}  // namespace

std::vector<Answer> evaluate(const std::vector<Question>& questions, const CellFolders& folders,
                             const Look& look) {
  std::vector<Answer> answers;
  std::vector<std::optional<Estimate>> estimates;
  Shared shared{folders};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (i < look.before.size() && look.before[i].closed) {
      answers.push_back(look.before[i]);
      estimates.emplace_back();
    } else {
      answers.push_back(ask(questions[i], shared));
      estimates.push_back(weigh(answers.back()));
    }
  }
  judge(estimates, answers, look.alpha);
  return answers;
}

}  // namespace layerlab::claims
