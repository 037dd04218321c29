// Which steps are measured.
#pragma once

#include <cstdint>

#include "config/run_config.h"

namespace layerlab::probe {

// Whether `step` of a run of `steps` steps is measured. `log` is dense early and sparse late:
// steps 0, 1, 2, 4, 8, …; every schedule but `off` and `init` takes the last step too.
bool due(const config::ProbeConfig& probe, std::int64_t step, std::int64_t steps);

}  // namespace layerlab::probe
