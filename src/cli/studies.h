// Experiments with claims, one or a folder of them, from their files to verdicts.
#pragma once

#include <string>
#include <vector>

#include "claims/claim_result.h"
#include "claims/evaluate.h"
#include "claims/table.h"
#include "cli/command.h"
#include "cli/training.h"
#include "config/experiment.h"

namespace layerlab::cli {

// An experiment with its claims and, once they are judged, their results.
struct Study {
  config::Experiment experiment;
  std::vector<claims::PreparedClaim> claims;
  std::vector<claims::ClaimResult> results;
};

// The files that the folder is about: of each folder in it that holds exactly one TOML file. Says
// of others that hold several that they are passed over. None where `path` is a file, or itself
// holds a TOML file, and so is a study of its own.
std::vector<std::string> study_files(const std::string& path);

// Throws UserError for files without claims and for all that is wrong with a claim but its runs.
Study load_study(const std::string& file, const config::Variation& variation);

// All of them, read to the last before anything else is done. Passes over files without claims and
// says so. Throws UserError also for two studies of one name, whose results would share a folder.
std::vector<Study> load_studies(const std::vector<std::string>& files,
                                const config::Variation& variation);

// Trains what all of them lack as one plan, and judges each. Returns why training ended, as
// train_missing() does: after an interrupt nothing is judged.
int judge(std::vector<Study>& studies, const TrainOptions& options, const Globals& globals);

// What tables show of them.
std::vector<claims::JudgedStudy> judged(const std::vector<Study>& studies);

}  // namespace layerlab::cli
