// Which steps are measured.
#pragma once

#include <cstdint>

#include "config/run_config.h"

namespace layerlab::config {

// Whether `step` of a run of `steps` steps is measured. `log` is dense early and sparse late:
// steps 0, 1, 2, 4, 8, …; every schedule but `off` and `init` takes the last step too.
bool is_measured(const ProbeConfig& probe, std::int64_t step, std::int64_t steps);

// How many of them are, without asking for each.
std::int64_t measured_steps(const ProbeConfig& probe, std::int64_t steps);

}  // namespace layerlab::config
