#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "claims/evaluate.h"
#include "claims/explain.h"
#include "claims/table.h"
#include "claims/verdicts_json.h"
#include "cli/settle.h"
#include "cli/terminal.h"
#include "cli/training.h"
#include "cli/words.h"
#include "core/error.h"
#include "core/exit_code.h"
#include "core/files.h"
#include "core/names.h"
#include "sweep/plan.h"

namespace layerlab::cli {
namespace {

struct VerifyOptions {
  std::string file;
  config::Variation variation;
  std::string explain;  // the id of a claim
  bool settle = false;
  double budget = 600;  // seconds
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

std::string id_of(const claims::Answer& answer) { return answer.claim.id; }

void check_claim(const config::Experiment& experiment, const VerifyOptions& options) {
  std::vector<std::string> ids;
  for (const config::Claim& claim : experiment.claims) ids.push_back(claim.id);
  if (std::ranges::find(ids, options.explain) != ids.end()) return;
  throw UserError({options.file}, "has no claim " + options.explain,
                  suggestion(options.explain, ids));
}

Settlement judge_once(const config::Experiment& experiment, const VerifyOptions& options,
                      const Globals& globals) {
  const std::vector<claims::Question> questions = claims::prepare(experiment);
  Settlement result;
  result.code = train_missing({&experiment}, options.train, globals).code;
  if (result.code == exit_code::kInterrupted) return result;
  result.answers = claims::evaluate(questions, [&](const std::string& id) {
    return sweep::cell_folder(options.train.results, id);
  });
  return result;
}

int verify(const VerifyOptions& options, const Globals& globals) {
  const config::Experiment experiment = config::load_experiment(options.file, options.variation);
  if (experiment.claims.empty()) {
    throw UserError({options.file}, "has no claims to verify", "add a [[claim]]");
  }
  if (!options.explain.empty()) check_claim(experiment, options);
  const Settlement judged =
      options.settle ? settle(experiment, options.file, options.variation, options.budget,
                              options.train, globals)
                     : judge_once(experiment, options, globals);
  if (judged.code == exit_code::kInterrupted) return judged.code;

  const std::vector<claims::Answer>& answers = judged.answers;
  const std::filesystem::path& results = options.train.results;
  const std::filesystem::path folder = results / experiment.name;
  write_file_atomically(folder / "verdicts.json", claims::verdicts_json(answers));
  if (!options.explain.empty()) {
    const auto asked = std::ranges::find(answers, options.explain, id_of);
    fmt::print("{}", claims::explanation(*asked));
    return judged.code != exit_code::kDone ? judged.code : code_of({*asked});
  }
  fmt::print("{}\n{}", experiment.title, claims::verdict_table(answers, table_style()));
  fmt::print("runs and verdicts in {}, records in {}\n", folder.string(),
             (results / "cells").string());
  return judged.code != exit_code::kDone ? judged.code : code_of(answers);
}

}  // namespace

Command make_verify(CLI::App& program, const Globals& globals) {
  CLI::App* app = program.add_subcommand("verify", "Train what is missing, then judge the claims");
  const auto options = std::make_shared<VerifyOptions>();
  app->add_option("FILE", options->file, "An experiment with claims, or its folder")->required();
  app->add_option("--explain", options->explain, "Say all that the verdict on this claim rests on");
  CLI::Option* const settle =
      app->add_flag("--settle", options->settle, "Train more seeds for claims that are undecided");
  app->add_option("--budget", options->budget, "Time for these: 90s, 10m, 2h (default: 10m)")
      ->needs(settle)
      ->transform(
          CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}},
                                CLI::AsNumberWithUnit::UNIT_REQUIRED, "TIME"))
      ->check(CLI::NonNegativeNumber);
  add_variation_options(*app, options->variation);
  add_train_options(*app, options->train);
  return {app, [options, &globals] { return verify(*options, globals); }};
}

}  // namespace layerlab::cli
