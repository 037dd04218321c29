// From an experiment's claims and the records of its runs to verdicts. The rules are those of
// docs/statistics.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "claims/answer.h"
#include "claims/judge.h"
#include "claims/measure.h"
#include "claims/reading.h"
#include "config/experiment.h"

namespace layerlab::claims {

// A claim with everything that can be known of it before its runs are trained.
struct Question {
  config::Claim claim;
  Measure measure;
  std::vector<config::Cell> where;
  std::vector<config::Cell> versus = {};  // of what compares
  bool paired = true;              // versus[i] has the seed of where[i]; else no seed is in both
  std::vector<double> along = {};  // what follows an axis: where[i]'s place on it, seed after seed
  std::vector<std::string> mixed = {};        // other axes of the grid that `where` leaves open
  std::optional<config::Search> search = {};  // the cells are combinations, whose runs it finds
};

// Throws UserError for a measure, also that of [search], that does not work, for two selections
// that have some seeds in common and others not, and for an axis along which the seeds do not have
// the same runs, one for each of at least two values (a trend: three). REQUIRES: every claim
// selects runs, as load_experiment() sees to.
std::vector<Question> prepare(const config::Experiment& experiment);

// How an evaluation follows earlier ones; the default is the only one.
struct Look {
  double alpha = kAlpha;       // error rate of this look
  std::vector<Answer> before;  // of the look before: what it closed stays as it is
};

// One answer a question, in their order. A combination of which [search] finds no run has no
// number. Throws UserError for records that cannot be read and for a fraction whose measure is
// neither 0 nor 1.
std::vector<Answer> evaluate(const std::vector<Question>& questions, const CellFolders& folders,
                             const Look& look = {});

}  // namespace layerlab::claims
