#include "worker/open_runs.h"

#include <optional>
#include <utility>

#include "config/identity.h"
#include "core/error.h"

namespace layerlab::worker {

OpenRuns::OpenRuns(const std::vector<std::filesystem::path>& folders, const Report& report) {
  for (const std::filesystem::path& folder : folders) {
    try {
      open({folder}, report);
    } catch (const UserError&) {
      if (!refused_) refused_ = std::current_exception();
    }
  }
}

void OpenRuns::open(const record::CellFolder& cell, const Report& report) {
  std::optional<record::CellLock> lock = record::CellLock::take(cell);
  if (!lock) return report(sweep::CellElsewhere{cell.root.string()});
  // Only the holder of the lock can know.
  const record::CellState state = record::read_state(cell);
  if (state == record::CellState::kDamaged) throw UserError({}, record::damage(cell));
  if (record::has_ended(state)) return report(sweep::CellEnded{cell.root.string(), state});
  Run run(cell, std::move(*lock), report);
  const std::string key = config::pack_key(run.config());
  if (pack_key_.empty()) pack_key_ = key;
  if (key != pack_key_) {
    throw UserError({cell.config().string()}, "expected a run of the same shape as the others",
                    "train it alone");
  }
  runs_[run.first_step()].push_back(std::move(run));
}

}  // namespace layerlab::worker
