// The card of a placement at initialisation: what was measured over seeds, and what mean-field
// theory says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/experiment.h"
#include "record/cell.h"
#include "stats/interval.h"

namespace layerlab::cli {

// A positive quantity over seeds: the geometric mean and its 95 % interval, Student's on
// logarithms.
struct Spread {
  double mean;
  std::optional<stats::Interval> interval;  // from two seeds on
};

// REQUIRES: at least one value, all positive.
Spread spread_of(const std::vector<double>& values);

struct CardRow {
  int layer;
  std::optional<Spread> rms, grad_norm, token_cosine;  // where the block's stream leaves it
  std::optional<double> predicted_rms, predicted_grad_norm, predicted_cosine;
};

struct CardSide {
  std::string side;  // "encoder" or "decoder" of a pair, else ""
  std::vector<CardRow> rows;
  std::optional<Spread> grad_ratio;  // last block's over the first's
  std::optional<double> predicted_grad_ratio;
  double rms_exponent = 0;  // growth along depth, of the means; NaN below two blocks
  std::optional<double> predicted_rms_exponent;
  std::string no_prediction;  // why there is none
};

// What one of probe.analyses says of the whole model.
struct CardNumber {
  std::string label;
  std::optional<Spread> value;  // where it is positive
};

// As the next, in the order of probe.analyses.
std::vector<CardNumber> whole_model(const std::vector<const config::Cell*>& cells,
                                    const std::vector<record::CellFolder>& folders);

// Of runs that differ in nothing but their seed, measured at step 0.
// Throws UserError where a record lacks the measurements.
std::vector<CardSide> make_card(const std::vector<const config::Cell*>& cells,
                                const std::vector<record::CellFolder>& folders);

}  // namespace layerlab::cli
