// The rows of a measured step, and how the numbers get there.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "config/probe_selection.h"
#include "equation/program.h"
#include "models/parameters.h"
#include "record/record.h"

namespace layerlab::probe {

// The measurements of one step, for one replica. A site or parameter of which nothing was selected
// has no row; a quantity that was not is NaN in it.
struct StepMeasurements {
  std::vector<record::SiteRow> sites;
  std::vector<record::ParamRow> params;
};

// What is measured at a tap.
struct TapSelection {
  std::vector<equation::Site> sites;  // that get a row
  bool values = false, cosine = false, gradient = false, attention = false;
  int stream = -1;  // at a `branch`: the tap of `in`, whose token_norm is divided by
};

// Numbers that were reduced from a tensor, for each replica.
struct Reduction {
  // value_quantities() and attention_quantities() at a tap, total_norm() of its gradient; a
  // column of neighbouring parameters; the norm of the whole gradient before and after clipping.
  enum class Kind { kValue, kGradient, kAttention, kParameter, kWholeGradient };

  Kind kind;
  std::size_t index;      // of the tap; of kParameter the column
  at::Tensor values;      // [R, numbers]
  std::size_t first = 0;  // of kParameter, the parameter of the first number
};

// Rows without numbers, in the order of `taps` and their sites, and of `parameters`.
StepMeasurements rows_of(const std::vector<TapSelection>& taps,
                         std::span<const models::Parameters::Slot> parameters);

// Replaces the numbers of rows that rows_of() made of `taps`. `numbers` are one replica's: those of
// all `reductions`, one after the other.
void fill(StepMeasurements& rows, std::int64_t step, const std::vector<TapSelection>& taps,
          const std::vector<Reduction>& reductions, const double* numbers,
          const config::SelectedQuantities& selected);

}  // namespace layerlab::probe
