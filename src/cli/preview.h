// What `layerlab run --dry-run` says.
#pragma once

#include <filesystem>

#include "config/experiment.h"

namespace layerlab::cli {

// Prints the settings of the first run, its learning rate as a plot, what one run and all of them
// take, and how many runs of the experiment there are, done and to do; of a search, at most. Writes
// nothing else.
void print_preview(const config::Experiment& experiment, const std::filesystem::path& results);

}  // namespace layerlab::cli
