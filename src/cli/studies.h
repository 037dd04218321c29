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

// The studies of a folder: the TOML file of each folder in it that holds exactly one. Folders with
// several are passed over with a message. Empty when `path` is itself a study: a file, or a folder
// that holds a TOML file.
std::vector<std::string> study_files(const std::string& path);

// Throws UserError for a file without claims and for mistakes in its claims.
Study load_study(const std::string& file, const config::Overrides& overrides);

// Reads all of them. Files without claims are passed over with a message. Throws UserError also for
// two studies of one name, whose results would share a folder.
std::vector<Study> load_studies(const std::vector<std::string>& files,
                                const config::Overrides& overrides);

// Trains what is missing of all of them as one plan, then judges each. Returns why training ended,
// as train_missing() does; after an interrupt nothing is judged.
int judge(std::vector<Study>& studies, const TrainOptions& options, const Globals& globals);

// The same for tables.
std::vector<claims::JudgedStudy> judged(const std::vector<Study>& studies);

}  // namespace layerlab::cli
