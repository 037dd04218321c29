// What a person sees of a record: its layers at a step, and its events.
#pragma once

#include "record/record.h"

namespace layerlab::cli {

// A table for each side of the model: the stream as it leaves each block, and gradients.
void print_layers(const record::Reader& reader, double step);

// A line each: what happened, at which step, and why. Of many, the first and the last.
void print_events(const record::Reader& reader);

}  // namespace layerlab::cli
