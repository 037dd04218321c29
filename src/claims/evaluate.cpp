#include "claims/evaluate.h"

#include <map>
#include <utility>

#include "claims/weigh.h"
#include "record/manifest.h"
#include "tasks/catalogue.h"

namespace layerlab::claims {
namespace {

using config::Cell;
using config::DivergedRule;
using record::CellState;

// Of each task and kind of model once: for some tasks a file is read.
class ChanceLosses {
 public:
  double of(const Cell& cell) {
    const config::ModelKind kind = cell.config.model.kind;
    const auto [known, is_new] =
        known_.try_emplace({kind, to_toml_value(*cell.settings.find("task"))});
    if (is_new) known->second = tasks::make_task({cell.config.task, kind, {}})->shape().chance_loss;
    return known->second;
  }

 private:
  std::map<std::pair<config::ModelKind, std::string>, double> known_;
};

RunNumber number_of(const Cell& cell, const Question& question, const record::CellFolder& folder,
                    ChanceLosses& chance_losses) {
  RunNumber run;
  run.cell = cell.id;
  run.seed = cell.config.seed;
  run.seconds = record::training_seconds(folder);
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
  const Measurement result =
      question.measure.of(record::Reader(folder.record()), chance_losses.of(cell), lost_is_chance);
  run.value = result.value;
  run.missing = result.missing;
  if (run.diverged && !run.value) run.missing = "diverged: " + run.missing;
  return run;
}

// The answer with its runs' numbers only.
Answer ask(const Question& question, const CellFolders& folders, ChanceLosses& chance_losses) {
  const auto numbers = [&](const std::vector<Cell>& cells) {
    std::vector<RunNumber> runs;
    for (const Cell& cell : cells) {
      runs.push_back(number_of(cell, question, folders(cell.id), chance_losses));
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
  return answer;
}

}  // namespace

std::vector<Answer> evaluate(const std::vector<Question>& questions, const CellFolders& folders,
                             const Look& look) {
  std::vector<Answer> answers;
  std::vector<std::optional<Estimate>> estimates;
  ChanceLosses chance_losses;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (i < look.before.size() && look.before[i].closed) {
      answers.push_back(look.before[i]);
      estimates.emplace_back();
    } else {
      answers.push_back(ask(questions[i], folders, chance_losses));
      estimates.push_back(weigh(answers.back()));
    }
  }
  judge(estimates, answers, look.alpha);
  return answers;
}

}  // namespace layerlab::claims
