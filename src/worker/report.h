// The callback through which a worker reports.
#pragma once

#include <functional>
#include <string>

#include "sweep/protocol.h"

namespace layerlab::worker {

using Report = std::function<void(const sweep::Event&)>;

// The same for functions that warn of files they cannot use.
inline auto warnings_to(const Report& report) {
  return [&report](const std::string& text) {
    report(sweep::Message{sweep::Level::kWarning, text});
  };
}

}  // namespace layerlab::worker
