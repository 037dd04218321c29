#include "cli/settle.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "claims/settle.h"
#include "core/exit_code.h"

namespace layerlab::cli {
namespace {

// The same file with these seeds, to which it adds its offset by itself.
config::Experiment with_seeds(const std::string& file, config::Variation variation,
                              std::vector<std::uint64_t> seeds) {
  for (std::uint64_t& seed : seeds) seed -= variation.seed_offset;
  variation.overrides.push_back(fmt::format("grid.seed=[{}]", fmt::join(seeds, ",")));
  return config::load_experiment(file, variation);
}

}  // namespace

int settle(Study& study, const std::string& file, const config::Variation& variation, double budget,
           const TrainOptions& options, const Globals& globals) {
  using std::chrono::steady_clock;
  const claims::CellFolders folders = claims::cells_in(options.results);
  int code = train_missing({&study.experiment}, options, globals).code;
  if (code == exit_code::kInterrupted) return code;
  study.answers = claims::take_look(study.questions, folders, 1, {});

  TrainOptions timed = options;
  timed.deadline = steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(
                                             std::chrono::duration<double>(budget));
  std::vector<claims::Question> questions = study.questions;
  for (int number = 2; number <= claims::kMostLooks; ++number) {
    const std::size_t before = claims::open_runs(questions, study.answers).size();
    if (before == 0) break;
    config::Experiment more =
        with_seeds(file, variation, claims::look_seeds(study.experiment, number));
    questions = claims::prepare(more);
    more.cells = claims::open_runs(questions, study.answers);
    if (more.cells.size() == before) {
      spdlog::info("the undecided claims name their seeds, so none can be added");
      break;
    }
    const std::size_t open =
        static_cast<std::size_t>(std::ranges::count_if(study.answers, claims::is_open));
    spdlog::info("look {}: {} undecided of {}; {} runs", number, open, questions.size(),
                 more.cells.size());
    const TrainOutcome outcome = train_missing({&more}, timed, globals);
    if (outcome.code != exit_code::kDone) code = outcome.code;
    if (outcome.code == exit_code::kInterrupted) break;
    if (outcome.out_of_time) {
      spdlog::info("the budget is spent; the same command goes on with this look");
      break;
    }
    study.answers = claims::take_look(questions, folders, number, std::move(study.answers));
  }
  return code;
}

}  // namespace layerlab::cli
