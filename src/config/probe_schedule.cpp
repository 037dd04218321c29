#include "config/probe_schedule.h"

#include <bit>

namespace layerlab::config {

bool is_measured(const ProbeConfig& probe, std::int64_t step, std::int64_t steps) {
  const bool last = step == steps - 1;
  switch (probe.schedule) {
    case ProbeSchedule::kOff:
      return false;
    case ProbeSchedule::kInit:
      return step == 0;
    case ProbeSchedule::kLog:
      return last || step == 0 || std::has_single_bit(static_cast<std::uint64_t>(step));
    case ProbeSchedule::kEvery:
      return last || step % probe.every == 0;
  }
  return false;
}

std::int64_t measured_steps(const ProbeConfig& probe, std::int64_t steps) {
  const std::int64_t last = steps - 1;
  switch (probe.schedule) {
    case ProbeSchedule::kOff:
      return 0;
    case ProbeSchedule::kInit:
      return 1;
    case ProbeSchedule::kLog: {  // step 0, the powers of two up to the last, and the last
      const auto number = static_cast<std::uint64_t>(last);
      return 1 + std::bit_width(number) + (last > 0 && !std::has_single_bit(number) ? 1 : 0);
    }
    case ProbeSchedule::kEvery:
      return 1 + last / probe.every + (last % probe.every != 0 ? 1 : 0);
  }
  return 0;
}

}  // namespace layerlab::config
