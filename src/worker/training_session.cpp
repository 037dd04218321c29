#include "worker/training_session.h"

#include <algorithm>

namespace layerlab::worker {
namespace {

constexpr std::chrono::milliseconds kReportEvery(250);
constexpr std::chrono::seconds kCommitEvery(2);
constexpr int kTimeBetweenCommits = 20;  // in times that one takes

void add(record::StepTimes& sum, const record::StepTimes& more) {
  sum.steps += more.steps;
  sum.seconds += more.seconds;
}

}  // namespace

void TrainingSession::add_step(std::int64_t tokens, bool measured) {
  if (steps_ > 0) ++(measured ? measured_ : unmeasured_).steps;
  ++steps_;
  tokens_ += tokens;
}

void TrainingSession::add_time(bool measured, Clock::duration time) {
  if (steps_ < 2) return;  // the first step is slow, and counts for neither kind
  (measured ? measured_ : unmeasured_).seconds += std::chrono::duration<double>(time).count();
}

double TrainingSession::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

double TrainingSession::tokens_per_second() const {
  return static_cast<double>(tokens_) / seconds();
}

void TrainingSession::add_to(record::Manifest& manifest) const {
  manifest.ended = record::utc_now();
  manifest.seconds += seconds();
  manifest.steps += steps_;
  add(manifest.measured, measured_);
  add(manifest.unmeasured, unmeasured_);
}

bool TrainingSession::report_due() {
  const Clock::time_point now = Clock::now();
  if (now - reported_ < kReportEvery) return false;
  reported_ = now;
  return true;
}

void TrainingSession::committed_since(Clock::time_point begin) {
  const Clock::time_point now = Clock::now();
  const Clock::duration pause = kTimeBetweenCommits * (now - begin);
  next_commit_ = now + std::max<Clock::duration>(kCommitEvery, pause);
}

}  // namespace layerlab::worker
