// The words of a command that names an experiment: a file, and what replaces settings of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "config/experiment.h"

namespace layerlab::cli {

// --quick and --seed-offset.
void add_variation_options(CLI::App& app, config::Variation& variation);

// `words` are FILE and key=value in any order; the variation's own overrides come behind them.
// Throws UserError for two files, and as config::load_experiment does.
config::Experiment load_words(const std::vector<std::string>& words, config::Variation variation);

}  // namespace layerlab::cli
