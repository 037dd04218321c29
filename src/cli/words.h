// The words of a command that names an experiment: a file, and settings that replace its own.
#pragma once

#include <string>
#include <vector>

#include "config/experiment.h"

namespace layerlab::cli {

// `words` are FILE and key=value in any order; `more` are settings behind them. `seeds` as
// config::load_experiment has it. Throws UserError for two files, and as that does.
config::Experiment load_words(const std::vector<std::string>& words, int seeds,
                              const std::vector<std::string>& more = {});

}  // namespace layerlab::cli
