// What a person sees of a record: its layers at a step, and its events.
#pragma once

#include <string>
#include <vector>

#include "record/record.h"

namespace layerlab::report {

// A block's stream where it leaves the last sub-layer, and the gradient norm of ff.down's weight.
// NaN where it was not measured.
struct BlockOutput {
  int layer = 0;
  double rms = 0, token_norm = 0, grad_norm = 0, token_cosine = 0, ff_down = 0;
};

// Of every block of one side ("" where the model is no pair), as they are on record at `step`.
std::vector<BlockOutput> block_outputs(const record::Reader& reader, double step,
                                       const std::string& side);

// A table for each side of the model: the stream as it leaves each block, and gradients.
void print_layers(const record::Reader& reader, double step);

// A line each: what happened, at which step, and why. Of many, the first and the last.
void print_events(const record::Reader& reader);

}  // namespace layerlab::report
