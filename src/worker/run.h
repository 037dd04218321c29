// One run while it is trained.
#pragma once

#include <cstdint>
#include <optional>

#include "config/run_config.h"
#include "record/cell.h"
#include "record/manifest.h"
#include "train/recorder.h"
#include "worker/report.h"
#include "worker/training_session.h"

namespace layerlab::worker {

struct PackOptions;

// Owns the run's cell: the lock, the record, the manifest and `done`.
class Run {
 public:
  // REQUIRES: the run has not ended. Throws UserError as read_run() does.
  Run(record::CellFolder cell, record::CellLock lock, const Report& report);

  const record::CellFolder& cell() const { return cell_; }
  const config::RunConfig& config() const { return config_; }
  // Where training goes on: at the newest whole checkpoint, else at 0.
  std::int64_t first_step() const { return first_step_; }

  // Begins to write. Rows and checkpoints of steps that are taken again go. A damaged manifest is
  // begun anew, and `report` hears of it. `replicas`: runs of the pack; `chance_loss`: the task's.
  void begin(const PackOptions& options, std::size_t replicas, double chance_loss,
             const Report& report);

  // REQUIRES: begin() was called, and the run has not ended.
  train::Recorder& recorder() { return *recorder_; }
  void write_manifest(const TrainingSession& session) const;

  // Writes all that is left to write, `done` last, and gives the cell back.
  void end(record::Done done, const TrainingSession& session);
  bool ended() const { return !lock_.has_value(); }

 private:
  record::CellFolder cell_;
  std::optional<record::CellLock> lock_;  // nothing once the run has ended
  config::RunConfig config_;
  std::int64_t first_step_;
  std::optional<train::Recorder> recorder_;
  record::Manifest manifest_;  // of earlier sessions, this one counted
};

}  // namespace layerlab::worker
