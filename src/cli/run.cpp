#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/parse_arguments.h"
#include "cli/preview.h"
#include "cli/training.h"
#include "core/exit_code.h"
#include "core/text.h"

namespace layerlab::cli {
namespace {

struct RunOptions {
  std::vector<std::string> words;  // FILE and overrides, in any order
  config::Overrides overrides;
  bool dry = false;
  TrainOptions train;
};

int run(const RunOptions& options, const Globals& globals) {
  const config::Experiment experiment = parse_arguments(options.words, options.overrides);
  if (options.dry) {
    for (const std::string& line : experiment.warnings) spdlog::warn("{}", line);
    print_preview(experiment, options.train.results);
    return exit_code::kDone;
  }
  const TrainOutcome outcome = train_missing({&experiment}, options.train, globals);
  std::string line = fmt::format("{} finished", outcome.finished);
  if (outcome.diverged > 0) line += fmt::format(", {} diverged", outcome.diverged);
  if (outcome.unfinished > 0) line += fmt::format(", {} unfinished", outcome.unfinished);
  fmt::print("{}; listed in {}\n", line,
             visible((options.train.results / experiment.name / "cells.txt").string()));
  if (outcome.code != exit_code::kDone) return outcome.code;
  // A search tries values until runs stop learning: some are meant to diverge.
  const bool meant = experiment.search.has_value();
  return outcome.diverged > 0 && !meant ? exit_code::kDiverged : exit_code::kDone;
}

}  // namespace

Command make_run(CLI::App& program, const Globals& globals) {
  CLI::App* app = program.add_subcommand("run", "Train a run, or all runs of an experiment");
  const auto options = std::make_shared<RunOptions>();
  app->add_option("words", options->words,
                  "An experiment (or its folder), and settings that replace its own")
      ->option_text("[FILE] [key=value]...");
  app->add_option("--seeds", options->overrides.seeds, "Train with seeds 1 to N")
      ->check(CLI::Range(1, 100000));
  add_override_options(*app, options->overrides);
  app->add_flag("--dry-run", options->dry,
                "Train nothing: show the settings, the learning rate and what it will take");
  add_train_options(*app, options->train);
  return {app, [options, &globals] { return run(*options, globals); }};
}

}  // namespace layerlab::cli
