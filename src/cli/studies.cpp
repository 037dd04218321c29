#include "cli/studies.h"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/exit_code.h"
#include "core/files.h"
#include "sweep/plan.h"

namespace layerlab::cli {
namespace fs = std::filesystem;
namespace {

Study prepared(config::Experiment experiment) {
  Study study{std::move(experiment), {}, {}};
  study.claims = claims::prepare(study.experiment);
  return study;
}

}  // namespace

std::vector<std::string> study_files(const std::string& path) {
  std::vector<std::string> files;
  if (!sorted_entries(path, ".toml").empty()) return files;
  for (const fs::path& folder : sorted_entries(path)) {
    const std::vector<fs::path> found = sorted_entries(folder, ".toml");
    if (found.size() == 1) files.push_back(found.front().string());
    if (found.size() > 1) {
      spdlog::info("passing over {}: it holds {} TOML files", folder.string(), found.size());
    }
  }
  return files;
}

Study load_study(const std::string& file, const config::Overrides& overrides) {
  config::Experiment experiment = config::load_experiment(file, overrides);
  if (!experiment.claims.empty()) return prepared(std::move(experiment));
  throw UserError({file}, "has no claims to verify", "add a [[claim]]");
}

std::vector<Study> load_studies(const std::vector<std::string>& files,
                                const config::Overrides& overrides) {
  std::vector<Study> studies;
  std::map<std::string, std::string> file_of;
  for (const std::string& file : files) {
    config::Experiment experiment = config::load_experiment(file, overrides);
    if (experiment.claims.empty()) {
      spdlog::info("passing over {}: it has no claims", file);
      continue;
    }
    const auto [known, is_new] = file_of.emplace(experiment.name, file);
    if (!is_new) {
      throw UserError({file}, "has the name of " + known->second, "rename one of them");
    }
    studies.push_back(prepared(std::move(experiment)));
  }
  return studies;
}

int judge(std::vector<Study>& studies, const TrainOptions& options, const Globals& globals) {
  sweep::Experiments experiments;
  for (const Study& study : studies) experiments.push_back(&study.experiment);
  const int code = train_missing(experiments, options, globals).code;
  if (code == exit_code::kInterrupted) return code;
  for (Study& study : studies) {
    study.results = claims::evaluate(study.claims, options.results);
  }
  return code;
}

std::vector<claims::JudgedStudy> judged(const std::vector<Study>& studies) {
  std::vector<claims::JudgedStudy> result;
  for (const Study& study : studies) result.push_back({study.experiment.study, study.results});
  return result;
}

}  // namespace layerlab::cli
