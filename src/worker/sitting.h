// One stretch of training without interruption: its time, and what manifests say of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "record/cell.h"
#include "record/manifest.h"
#include "worker/pack.h"

namespace layerlab::worker {

class Sitting {
 public:
  using Clock = std::chrono::steady_clock;

  // Begins now. Earlier sittings are taken from the cells' manifests; `report` hears of those that
  // are damaged and begun anew.
  Sitting(const std::vector<record::CellFolder>& cells, const PackOptions& options,
          const Report& report);

  // A step of `tokens` tokens of all replicas, and what such steps took.
  void add_step(std::int64_t tokens, bool measured);
  void add_time(bool measured, Clock::duration time);

  double seconds() const;  // since the beginning
  double tokens_per_second() const;
  // Whether a person should hear of progress: four times a second at most.
  bool report_due();

  void write_manifest(std::size_t cell) const;
  void write_manifests() const;

  // Whether the records should be made durable, for people who look at them while runs go on:
  // every two seconds, or less often where that would cost more than a twentieth of the time.
  bool commit_due() const { return Clock::now() >= next_commit_; }
  void committed_since(Clock::time_point begin);

 private:
  std::vector<record::CellFolder> cells_;
  std::vector<record::Manifest> manifests_;  // as of the beginning, this sitting counted
  Clock::time_point begin_ = Clock::now(), reported_ = begin_, next_commit_ = begin_;
  std::int64_t steps_ = 0, tokens_ = 0;
  record::StepTimes measured_, unmeasured_;
};

}  // namespace layerlab::worker
