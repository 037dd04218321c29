#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "claims/explain.h"
#include "claims/table.h"
#include "claims/verdicts_json.h"
#include "cli/results_page.h"
#include "cli/settle.h"
#include "cli/studies.h"
#include "cli/terminal.h"
#include "cli/training.h"
#include "cli/words.h"
#include "core/error.h"
#include "core/exit_code.h"
#include "core/files.h"
#include "core/names.h"
#include "core/text_table.h"

namespace layerlab::cli {
namespace {

struct VerifyOptions {
  std::string path;  // of a study, or of a folder of them
  config::Variation variation;
  std::string explain;  // the id of a claim
  bool settle = false;
  double budget = 600;  // seconds
  std::filesystem::path markdown;
  TrainOptions train;
};

// Whoever reads a pipe wants a claim in one line.
TextStyle text_style() {
  TextStyle style;
  style.width = terminal_columns(STDOUT_FILENO).value_or(std::numeric_limits<int>::max());
  style.colour = may_colour(STDOUT_FILENO);
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
  throw UserError({options.path}, "has no claim " + options.explain,
                  suggestion(options.explain, ids));
}

std::filesystem::path folder_of(const Study& study, const VerifyOptions& options) {
  return options.train.results / study.experiment.name;
}

void write_verdicts(const std::vector<Study>& studies, const VerifyOptions& options) {
  for (const Study& study : studies) {
    write_file_atomically(folder_of(study, options) / "verdicts.json",
                          claims::verdicts_json(study.answers));
  }
}

void write_page(const std::vector<Study>& studies, const VerifyOptions& options) {
  if (options.markdown.empty()) return;
  write_file_atomically(options.markdown,
                        results_page(judged(studies), options.train.results, options.variation));
}

int verify_one(const VerifyOptions& options, const Globals& globals) {
  std::vector<Study> studies;
  studies.push_back(load_study(options.path, options.variation));
  Study& study = studies.front();
  if (!options.explain.empty()) check_claim(study.experiment, options);
  const int code = options.settle ? settle(study, options.path, options.variation, options.budget,
                                           options.train, globals)
                                  : judge(studies, options.train, globals);
  if (code == exit_code::kInterrupted) return code;

  write_verdicts(studies, options);
  const std::vector<claims::Answer>& answers = study.answers;
  if (!options.explain.empty()) {
    const auto asked = std::ranges::find(answers, options.explain, id_of);
    fmt::print("{}", claims::explanation(*asked));
    write_page(studies, options);
    return code != exit_code::kDone ? code : code_of({*asked});
  }
  fmt::print("{}\n{}", study.experiment.title, claims::verdict_table(answers, text_style()));
  fmt::print("runs and verdicts in {}, records in {}\n", folder_of(study, options).string(),
             (options.train.results / "cells").string());
  write_page(studies, options);
  return code != exit_code::kDone ? code : code_of(answers);
}

// What is about one file cannot be about all of a folder.
void refuse_for_folder(bool given, const char* option, const VerifyOptions& options) {
  if (!given) return;
  throw UserError({options.path},
                  std::string("is a folder of studies, and ") + option + " needs one",
                  "name one of them");
}

int verify_all(const std::vector<std::string>& files, const VerifyOptions& options,
               const Globals& globals) {
  refuse_for_folder(!options.explain.empty(), "--explain", options);
  refuse_for_folder(options.settle, "--settle", options);
  std::vector<Study> studies = load_studies(files, options.variation);
  if (studies.empty()) {
    throw UserError({options.path}, "holds no study with claims", "add a [[claim]] to one");
  }
  const int code = judge(studies, options.train, globals);
  if (code == exit_code::kInterrupted) return code;

  write_verdicts(studies, options);
  fmt::print("{}", claims::overview(judged(studies), text_style()));
  fmt::print("runs and verdicts in {}\n", options.train.results.string());
  write_page(studies, options);
  std::vector<claims::Answer> answers;
  for (const Study& study : studies) {
    answers.insert(answers.end(), study.answers.begin(), study.answers.end());
  }
  return code != exit_code::kDone ? code : code_of(answers);
}

int verify(const VerifyOptions& options, const Globals& globals) {
  const std::vector<std::string> files = study_files(options.path);
  return files.empty() ? verify_one(options, globals) : verify_all(files, options, globals);
}

}  // namespace

Command make_verify(CLI::App& program, const Globals& globals) {
  CLI::App* app = program.add_subcommand("verify", "Train what is missing, then judge the claims");
  const auto options = std::make_shared<VerifyOptions>();
  app->add_option("FILE", options->path,
                  "An experiment with claims, its folder, or a folder of such folders")
      ->required();
  app->add_option("--explain", options->explain, "Say all that the verdict on this claim rests on");
  CLI::Option* const settle =
      app->add_flag("--settle", options->settle, "Train more seeds for claims that are undecided");
  app->add_option("--budget", options->budget, "Time for these: 90s, 10m, 2h (default: 10m)")
      ->needs(settle)
      ->transform(
          CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}},
                                CLI::AsNumberWithUnit::UNIT_REQUIRED, "TIME"))
      ->check(CLI::NonNegativeNumber);
  app->add_option("--markdown", options->markdown, "Write the verdicts to this file as Markdown");
  add_variation_options(*app, options->variation);
  add_train_options(*app, options->train);
  return {app, [options, &globals] { return verify(*options, globals); }};
}

}  // namespace layerlab::cli
