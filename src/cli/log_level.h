// What workers say, in spdlog's words.
#pragma once

#include <spdlog/common.h>

#include "sweep/protocol.h"

namespace layerlab::cli {

inline spdlog::level::level_enum log_level(sweep::Level level) {
  switch (level) {
    case sweep::Level::kInfo:
      return spdlog::level::info;
    case sweep::Level::kWarning:
      return spdlog::level::warn;
    case sweep::Level::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

}  // namespace layerlab::cli
