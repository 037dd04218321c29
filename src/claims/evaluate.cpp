#include "claims/evaluate.h"

#include "claims/weigh.h"
#include "tasks/catalogue.h"

namespace layerlab::claims {
namespace {

using config::Cell;
using config::DivergedRule;
using record::CellState;

RunNumber number_of(const Cell& cell, const Question& question, const record::CellFolder& folder) {
  RunNumber run;
  run.cell = cell.id;
  run.seed = cell.config.seed;
  const CellState state = record::read_state(folder);
  switch (state) {
    case CellState::kMissing:
      run.missing = "was never started";
      return run;
    case CellState::kBegun:
      run.missing = "has not finished";
      return run;
    case CellState::kFinished:
      break;
    case CellState::kDiverged:
      run.diverged = true;
      if (question.claim.diverged != DivergedRule::kFailure) break;
      run.value = 0;
      return run;
  }
  const bool lost_is_chance = run.diverged && question.claim.diverged == DivergedRule::kChance;
  const double chance_loss =
      tasks::make_task({cell.config.task, cell.config.model.kind, {}})->shape().chance_loss;
  const Measurement result =
      question.measure.of(record::Reader(folder.record()), chance_loss, lost_is_chance);
  run.value = result.value;
  run.missing = result.missing;
  if (run.diverged && !run.value) run.missing = "diverged: " + run.missing;
  return run;
}

// The answer with its runs' numbers only.
Answer ask(const Question& question, const CellFolders& folders) {
  const auto numbers = [&](const std::vector<Cell>& cells) {
    std::vector<RunNumber> runs;
    for (const Cell& cell : cells) runs.push_back(number_of(cell, question, folders(cell.id)));
    return runs;
  };
  Answer answer;
  answer.claim = question.claim;
  answer.where = numbers(question.where);
  answer.versus = numbers(question.versus);
  for (std::size_t i = 0; i < question.along.size(); ++i) answer.where[i].along = question.along[i];
  for (const std::string& axis : question.mixed) {
    answer.warnings.push_back("the runs differ in " + axis + ", so they sample no one setting");
  }
  return answer;
}

}  // namespace

std::vector<Answer> evaluate(const std::vector<Question>& questions, const CellFolders& folders,
                             const Look& look) {
  std::vector<Answer> answers;
  std::vector<std::optional<Estimate>> estimates;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (i < look.before.size() && look.before[i].closed) {
      answers.push_back(look.before[i]);
      estimates.emplace_back();
    } else {
      answers.push_back(ask(questions[i], folders));
      estimates.push_back(weigh(answers.back()));
    }
  }
  judge(estimates, answers, look.alpha);
  return answers;
}

}  // namespace layerlab::claims
