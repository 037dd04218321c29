#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "claims/evaluate.h"
#include "claims/table.h"
#include "claims/verdicts_json.h"
#include "cli/terminal.h"
#include "cli/training.h"
#include "core/error.h"
#include "core/exit_code.h"
#include "core/files.h"
#include "sweep/plan.h"

namespace layerlab::cli {
namespace {

struct VerifyOptions {
  std::string file;
  TrainOptions train;
};

claims::TableStyle table_style() {
  claims::TableStyle style;
  style.width = terminal_columns(STDOUT_FILENO).value_or(style.width);
  style.colour = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return style;
}

// An undecided claim that was expected to be decided counts less than a wrong one.
int code_of(const std::vector<claims::Answer>& answers) {
  int code = exit_code::kDone;
  for (const claims::Answer& answer : answers) {
    if (answer.as_expected) continue;
    if (answer.verdict != stats::Verdict::kInconclusive) return exit_code::kNotAsExpected;
    code = exit_code::kUndecided;
  }
  return code;
}

int verify(const VerifyOptions& options, const Globals& globals) {
  const config::Experiment experiment = config::load_experiment(options.file, {});
  if (experiment.claims.empty()) {
    throw UserError({options.file}, "has no claims to verify", "add a [[claim]]");
  }
  const std::vector<claims::Question> questions = claims::prepare(experiment);
  const TrainOutcome outcome = train_missing(experiment, options.train, globals);
  if (outcome.code == exit_code::kInterrupted) return outcome.code;

  const std::filesystem::path& results = options.train.results;
  const auto answers = claims::evaluate(
      questions, [&](const std::string& id) { return sweep::cell_folder(results, id); });
  const std::filesystem::path folder = results / experiment.name;
  write_file_atomically(folder / "verdicts.json", claims::verdicts_json(answers));
  fmt::print("{}\n{}", experiment.title, claims::verdict_table(answers, table_style()));
  fmt::print("runs and verdicts in {}, records in {}\n", folder.string(),
             (results / "cells").string());
  return outcome.code != exit_code::kDone ? outcome.code : code_of(answers);
}

}  // namespace

Command make_verify(CLI::App& program, const Globals& globals) {
  CLI::App* app = program.add_subcommand("verify", "Train what is missing, then judge the claims");
  const auto options = std::make_shared<VerifyOptions>();
  app->add_option("FILE", options->file, "An experiment with claims, or its folder")->required();
  add_train_options(*app, options->train);
  return {app, [options, &globals] { return verify(*options, globals); }};
}

}  // namespace layerlab::cli
