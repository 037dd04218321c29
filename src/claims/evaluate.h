// From an experiment's claims and the records of its runs to verdicts. The rules are those of
// docs/statistics.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "claims/answer.h"
#include "claims/measure.h"
#include "config/experiment.h"
#include "record/cell.h"

namespace layerlab::claims {

// A claim with everything that can be known of it before its runs are trained.
struct Question {
  config::Claim claim;
  Measure measure;
  std::vector<config::Cell> where;
  std::vector<config::Cell> versus;  // kind = ratio: versus[i] has the seed of where[i]
  std::vector<std::string> mixed;    // axes of the grid, besides the seed, that `where` leaves open
};

// Throws UserError for a measure that does not work and for a ratio whose two selections do not
// pair up by seed. REQUIRES: every claim selects runs, as load_experiment() sees to.
std::vector<Question> prepare(const config::Experiment& experiment);

// Where the cell of an id lives.
using CellFolders = std::function<record::CellFolder(const std::string& id)>;

// One answer a question, in their order. Throws UserError for records that cannot be read and for
// a fraction whose measure is neither 0 nor 1.
std::vector<Answer> evaluate(const std::vector<Question>& questions, const CellFolders& folders);

}  // namespace layerlab::claims
