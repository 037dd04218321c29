// One equation for every feature of the language that models/ executes.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "equation/block.h"

namespace layerlab::models {

struct Feature {
  std::string name;
  equation::Block block;
  config::ModelConfig model;
  bool memory = false;  // cross-attention, and padding masks
};

// Its name alone, in test reports.
inline void PrintTo(const Feature& feature, std::ostream* stream) { *stream << feature.name; }

// Small: 2 blocks of width 8 with 2 heads and 12 values inside the feed-forward branch.
const std::vector<Feature>& features();

// Every block of the catalogue at that size.
std::vector<Feature> presets();

// Of that name. REQUIRES: there is one.
const Feature& find_feature(const std::string& name);

}  // namespace layerlab::models
