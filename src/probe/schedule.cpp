#include "probe/schedule.h"

#include <bit>

namespace layerlab::probe {

bool due(const config::ProbeConfig& probe, std::int64_t step, std::int64_t steps) {
  const bool last = step == steps - 1;
  switch (probe.schedule) {
    case config::ProbeSchedule::kOff:
      return false;
    case config::ProbeSchedule::kInit:
      return step == 0;
    case config::ProbeSchedule::kLog:
      return last || step == 0 || std::has_single_bit(static_cast<std::uint64_t>(step));
    case config::ProbeSchedule::kEvery:
      return last || step % probe.every == 0;
  }
  return false;
}

}  // namespace layerlab::probe
