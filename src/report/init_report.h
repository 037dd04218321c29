// A model at initialisation: measurements over seeds beside the predictions of mean-field theory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/experiment.h"
#include "record/cell.h"
#include "stats/interval.h"

namespace layerlab::report {

// A positive quantity over seeds: the geometric mean and its 95 % interval, Student's on
// logarithms.
struct SeedMean {
  double mean;
  std::optional<stats::Interval> interval;  // from two seeds on
};

// REQUIRES: at least one value, all positive.
SeedMean seed_mean(const std::vector<double>& values);

struct BlockReport {
  int layer;
  std::optional<SeedMean> rms, grad_norm, token_cosine;  // where the block's stream leaves it
  std::optional<double> predicted_rms, predicted_grad_norm, predicted_cosine;
};

struct SideReport {
  std::string side;  // "encoder" or "decoder" where the model has both, else ""
  std::vector<BlockReport> rows;
  std::optional<SeedMean> grad_ratio;  // last block's over the first's
  std::optional<double> predicted_grad_ratio;
  double rms_exponent = 0;  // growth along depth, of the means; NaN below two blocks
  std::optional<double> predicted_rms_exponent;
  std::string no_prediction;  // why there is none
};

// The number of one of probe.analyses, for the whole model.
struct ModelNumber {
  std::string label;
  std::optional<SeedMean> value;  // where it is positive
};

// For the same runs as init_report(), in the order of probe.analyses.
std::vector<ModelNumber> whole_model(const std::vector<const config::Cell*>& cells,
                                     const std::vector<record::CellFolder>& folders);

// For runs that differ in their seed alone, measured at step 0: a report for each side.
// Throws UserError where a record lacks the measurements.
std::vector<SideReport> init_report(const std::vector<const config::Cell*>& cells,
                                    const std::vector<record::CellFolder>& folders);

}  // namespace layerlab::report
