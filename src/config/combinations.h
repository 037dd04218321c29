// Settings that cannot go together, each refused where the user wrote it.
#pragma once

#include <initializer_list>
#include <vector>

#include "config/run_config.h"

namespace layerlab::config {

// Where the first of these keys stands that the user wrote; where none is, the document.
Place place_of(const TomlNode& root, std::initializer_list<const char*> keys);

// Throw UserError where what is written in `root`, and read into the second argument, contradicts
// itself, or means nothing with the other choices. The first returns all places of the model, from
// the bottom, which the last one compares probe.sites with.
std::vector<equation::Site> check_model(const TomlNode& root, const RunConfig& config);
void check_train(const TomlNode& root, const TrainConfig& train);
void check_probe(const TomlNode& root, const RunConfig& config,
                 const std::vector<equation::Site>& sites);

}  // namespace layerlab::config
