// Descriptions that differ from one by what people often confuse (mistakes.toml).
#pragma once

#include <string>
#include <vector>

#include "core/toml.h"

namespace layerlab::conform {

struct Variation {
  std::string text;      // "eps = 1e-6 instead of 1e-05"
  TomlNode description;  // as describe() makes it; it may not compile
};

std::vector<Variation> variations(const TomlNode& description);

}  // namespace layerlab::conform
