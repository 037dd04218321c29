// One stretch of training without interruption: its time, and what is due by the clock.
#pragma once

#include <chrono>
#include <cstdint>

#include "record/manifest.h"

namespace layerlab::worker {

class TrainingSession {
 public:
  using Clock = std::chrono::steady_clock;

  // A step of `tokens` tokens of all replicas, and what such steps took.
  void add_step(std::int64_t tokens, bool measured);
  void add_time(bool measured, Clock::duration time);

  double seconds() const;  // since the session began
  double tokens_per_second() const;

  // Adds what this session has taken to what earlier ones took.
  void add_to(record::Manifest& manifest) const;

  // Whether a person should hear of progress: four times a second at most.
  bool report_due();
  // Whether the records should be made durable, for people who look at them while runs go on:
  // every two seconds, or less often where that would cost more than a twentieth of the time.
  bool commit_due() const { return Clock::now() >= next_commit_; }
  void committed_since(Clock::time_point begin);

 private:
  Clock::time_point begin_ = Clock::now(), reported_ = begin_, next_commit_ = begin_;
  std::int64_t steps_ = 0, tokens_ = 0;
  record::StepTimes measured_, unmeasured_;
};

}  // namespace layerlab::worker
