// A record for people: its layers at a step, and its events.
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

// The blocks of one side ("" unless the model has encoder and decoder), as on record at `step`.
std::vector<BlockOutput> block_outputs(const record::Reader& reader, double step,
                                       const std::string& side);

// A table for each side of the model: the stream as it leaves each block, and gradients.
void print_layers(const record::Reader& reader, double step);

// A line each: the step, the event and its cause. Only the first and the last of many.
void print_events(const record::Reader& reader);

}  // namespace layerlab::report
