// Arguments that several commands take: an experiment's file with settings that replace its own,
// and times.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "config/experiment.h"

namespace layerlab::cli {

// --quick and --seed-offset.
void add_override_options(CLI::App& app, config::Overrides& overrides);

// Loads the experiment that `words` name: FILE and key=value in any order; the latter are
// added to the overrides' settings. Throws UserError for two files, and as config::load_experiment
// does.
config::Experiment parse_arguments(const std::vector<std::string>& words,
                                   config::Overrides overrides);

// The seconds of "90s", "10m" or "2h". Throws UserError naming the option.
double parse_duration(const std::string& option, const std::string& text);

}  // namespace layerlab::cli
