#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "claims/explain.h"
#include "claims/interim_analysis.h"
#include "claims/table.h"
#include "claims/verdicts_json.h"
#include "cli/parse_arguments.h"
#include "cli/studies.h"
#include "cli/terminal.h"
#include "cli/training.h"
#include "core/error.h"
#include "core/exit_code.h"
#include "core/files.h"
#include "core/names.h"
#include "core/text.h"
#include "report/results_page.h"

namespace layerlab::cli {
namespace {

struct VerifyOptions {
  std::string path;  // of a study, or of a folder of them
  config::Overrides overrides;
  std::string explain;  // the id of a claim
  bool settle = false;
  double budget = 600;  // seconds
  std::filesystem::path markdown;
  TrainOptions train;
};

// An undecided claim that was expected to be decided counts less than a wrong one.
int code_of(const std::vector<claims::ClaimResult>& results) {
  int code = exit_code::kDone;
  for (const claims::ClaimResult& result : results) {
    if (result.as_expected) continue;
    if (result.verdict != stats::Verdict::kInconclusive) return exit_code::kNotAsExpected;
    code = exit_code::kUndecided;
  }
  return code;
}

std::string id_of(const claims::ClaimResult& result) { return result.claim.id; }

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
                          claims::verdicts_json(study.results));
  }
}

void write_page(const std::vector<Study>& studies, const VerifyOptions& options) {
  if (options.markdown.empty()) return;
  write_file_atomically(
      options.markdown,
      report::results_page(judged(studies), options.train.results, options.overrides));
}

// Trains and analyses stage after stage (claims/interim_analysis.h) until no claim is open that
// more seeds could close, or the budget is spent; workers then save their state. The budget begins
// after the file's own runs. Returns why training ended, as train_missing() does.
int settle(Study& study, const VerifyOptions& options, const Globals& globals) {
  using std::chrono::steady_clock;
  const auto with_seeds = [&](std::vector<std::uint64_t> seeds) {
    config::Overrides overrides = options.overrides;  // adds its offset by itself
    for (std::uint64_t& seed : seeds) seed -= overrides.seed_offset;
    overrides.command_settings.push_back(fmt::format("grid.seed=[{}]", fmt::join(seeds, ",")));
    return config::load_experiment(options.path, overrides);
  };
  claims::InterimAnalysis analysis(study.experiment, study.claims, with_seeds,
                                   options.train.results);
  int code = train_missing({&study.experiment}, options.train, globals).code;
  if (code == exit_code::kInterrupted) return code;
  analysis.analyse();

  TrainOptions timed = options.train;
  timed.deadline = steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(
                                             std::chrono::duration<double>(options.budget));
  while (const std::optional<config::Experiment> more = analysis.next()) {
    spdlog::info("stage {}: {} undecided of {}; {} runs", analysis.stage(), analysis.open(),
                 study.claims.size(), more->cells.size());
    const TrainOutcome outcome = train_missing({&*more}, timed, globals);
    if (outcome.code != exit_code::kDone) code = outcome.code;
    if (outcome.out_of_time)
      spdlog::info("the budget is spent; the same command continues this stage");
    if (outcome.code == exit_code::kInterrupted || outcome.out_of_time) break;
    analysis.analyse();
  }
  study.results = analysis.results();
  return code;
}

int verify_one(const VerifyOptions& options, const Globals& globals) {
  std::vector<Study> studies;
  studies.push_back(load_study(options.path, options.overrides));
  Study& study = studies.front();
  if (!options.explain.empty()) check_claim(study.experiment, options);
  const int code =
      options.settle ? settle(study, options, globals) : judge(studies, options.train, globals);
  if (code == exit_code::kInterrupted) return code;

  write_verdicts(studies, options);
  const std::vector<claims::ClaimResult>& results = study.results;
  if (!options.explain.empty()) {
    const auto asked = std::ranges::find(results, options.explain, id_of);
    fmt::print("{}", claims::explanation(*asked));
    write_page(studies, options);
    return code != exit_code::kDone ? code : code_of({*asked});
  }
  fmt::print("{}\n{}", visible(study.experiment.title),
             claims::verdict_table(results, table_style()));
  fmt::print("runs and verdicts in {}, records in {}\n",
             visible(folder_of(study, options).string()),
             visible((options.train.results / "cells").string()));
  write_page(studies, options);
  return code != exit_code::kDone ? code : code_of(results);
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
  std::vector<Study> studies = load_studies(files, options.overrides);
  if (studies.empty()) {
    throw UserError({options.path}, "holds no study with claims", "add a [[claim]] to one");
  }
  const int code = judge(studies, options.train, globals);
  if (code == exit_code::kInterrupted) return code;

  write_verdicts(studies, options);
  fmt::print("{}", claims::overview(judged(studies), table_style()));
  fmt::print("runs and verdicts in {}\n", visible(options.train.results.string()));
  write_page(studies, options);
  std::vector<claims::ClaimResult> results;
  for (const Study& study : studies) {
    results.insert(results.end(), study.results.begin(), study.results.end());
  }
  return code != exit_code::kDone ? code : code_of(results);
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
  app->add_option("--explain", options->explain, "Explain the verdict on this claim");
  CLI::Option* const settle =
      app->add_flag("--settle", options->settle, "Train more seeds for claims that are undecided");
  app->add_option_function<std::string>(
         "--budget",
         [options](const std::string& text) { options->budget = parse_duration("--budget", text); },
         "Time for these: 90s, 10m, 2h (default: 10m)")
      ->needs(settle)
      ->type_name("TIME");
  app->add_option("--markdown", options->markdown, "Write the verdicts to this file as Markdown");
  add_override_options(*app, options->overrides);
  add_train_options(*app, options->train);
  return {app, [options, &globals] { return verify(*options, globals); }};
}

}  // namespace layerlab::cli
