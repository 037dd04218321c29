#include "worker/sitting.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "core/error.h"
#include "worker/version.h"

namespace layerlab::worker {
namespace {

constexpr std::chrono::milliseconds kReportEvery(250);
constexpr std::chrono::seconds kCommitEvery(2);
constexpr int kTimeBetweenCommits = 20;  // in times that one takes

record::Manifest earlier_manifest(const record::CellFolder& cell, const Report& report) {
  if (!std::filesystem::exists(cell.manifest())) return {};
  try {
    return record::read_manifest(cell);
  } catch (const UserError& error) {
    report(sweep::Message{sweep::Level::kWarning, std::string(error.what()) +
                                                      "; beginning a new one, without the times "
                                                      "of earlier sittings"});
    return {};
  }
}

record::Manifest begin_manifest(const record::CellFolder& cell, const PackOptions& options,
                                const Report& report) {
  record::Manifest manifest = earlier_manifest(cell, report);
  const sweep::WorkerVersion version = worker_version();
  manifest.versions = {
      {"layerlab", version.version}, {"torch", version.torch}, {"build", version.build}};
  manifest.host = record::host_name();
  manifest.device = options.device.str();
  manifest.threads = options.threads;
  manifest.replicas = static_cast<int>(options.cells.size());
  if (manifest.sittings++ == 0) manifest.started = record::utc_now();
  return manifest;
}

}  // namespace

Sitting::Sitting(const std::vector<record::CellFolder>& cells, const PackOptions& options,
                 const Report& report)
    : cells_(cells) {
  for (const record::CellFolder& cell : cells) {
    manifests_.push_back(begin_manifest(cell, options, report));
  }
}

void Sitting::add_step(std::int64_t tokens, bool measured) {
  if (steps_ > 0) ++(measured ? measured_ : unmeasured_).steps;
  ++steps_;
  tokens_ += tokens;
}

void Sitting::add_time(bool measured, Clock::duration time) {
  if (steps_ < 2) return;
  (measured ? measured_ : unmeasured_).seconds += std::chrono::duration<double>(time).count();
}

double Sitting::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

double Sitting::tokens_per_second() const { return static_cast<double>(tokens_) / seconds(); }

bool Sitting::report_due() {
  const Clock::time_point now = Clock::now();
  if (now - reported_ < kReportEvery) return false;
  reported_ = now;
  return true;
}

void Sitting::committed_since(Clock::time_point begin) {
  const Clock::time_point now = Clock::now();
  const Clock::duration pause = kTimeBetweenCommits * (now - begin);
  next_commit_ = now + std::max<Clock::duration>(kCommitEvery, pause);
}

void Sitting::write_manifest(std::size_t cell) const {
  record::Manifest manifest = manifests_[cell];
  manifest.ended = record::utc_now();
  manifest.seconds += seconds();
  manifest.steps += steps_;
  const auto add = [](record::StepTimes& sum, const record::StepTimes& more) {
    sum.steps += more.steps;
    sum.seconds += more.seconds;
  };
  add(manifest.measured, measured_);
  add(manifest.unmeasured, unmeasured_);
  record::write_manifest(cells_[cell], manifest);
}

void Sitting::write_manifests() const {
  for (std::size_t i = 0; i < cells_.size(); ++i) write_manifest(i);
}

}  // namespace layerlab::worker
