// From an experiment's claims and the records of its runs to verdicts. The rules are those of
// docs/statistics.md.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "claims/claim_result.h"
#include "claims/judge.h"
#include "claims/measure.h"
#include "claims/threshold_search.h"
#include "config/experiment.h"

namespace layerlab::claims {

// A claim with everything that can be known of it before its runs are trained.
struct PreparedClaim {
  config::Claim claim;
  Measure measure;
  std::vector<config::Cell> where;
  std::vector<config::Cell> versus = {};  // for kinds that compare
  bool paired = true;              // versus[i] has the seed of where[i]; else no seed is in both
  std::vector<double> along = {};  // where[i]'s place on the claim's axis, seed after seed
  std::vector<std::string> mixed = {};  // other axes of the grid that `where` leaves open
  // The experiment's [search], if any: then the cells are combinations, whose runs it finds.
  std::shared_ptr<ThresholdSearch> search = {};
};

// Throws UserError for a measure, also that of [search], that does not work, for two selections
// that have some seeds in common and others not, and for an axis along which the seeds do not have
// the same runs, one for each of at least two values (a trend: three). REQUIRES: every claim
// selects runs, as load_experiment() sees to.
std::vector<PreparedClaim> prepare(const config::Experiment& experiment);

// One of several evaluations of the same claims (claims/interim_analysis.h). By default there is
// only this one.
struct Stage {
  double alpha = kAlpha;             // error rate of this evaluation
  std::vector<ClaimResult> earlier;  // of the evaluation before: what it closed stays as it is
};

// One result a claim, in their order. Runs are looked up in the results folder. A combination for
// which [search] finds no run has no number, and neither has a run that is damaged. Throws
// UserError for a fraction whose measure is neither 0 nor 1, and as Measure::of() does.
std::vector<ClaimResult> evaluate(const std::vector<PreparedClaim>& claims,
                                  const std::filesystem::path& results, const Stage& stage = {});

}  // namespace layerlab::claims
