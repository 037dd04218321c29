// Runs from a line or two of TOML.
#pragma once

#include <string>

#include "config/resolve.h"
#include "config/run_config.h"
#include "tests/support/user_error.h"

namespace layerlab::config {

inline RunConfig read(const std::string& text) {
  return Resolver().read(parse_toml_text(text, "demo.toml"));
}

// What is said where that is refused.
inline std::string reading(const std::string& text) {
  return refusal([&] { read(text); });
}

}  // namespace layerlab::config
