#include "worker/run.h"

#include <filesystem>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "record/checkpoint_files.h"
#include "worker/pack.h"
#include "worker/stored_run.h"
#include "worker/version.h"

namespace layerlab::worker {
namespace {

record::Manifest earlier_manifest(const record::CellFolder& cell, const Report& report) {
  if (!is_there(cell.manifest())) return {};
  try {
    return record::read_manifest(cell);
  } catch (const UserError& error) {
    warnings_to(report)(std::string(error.what()) +
                        "; beginning a new one, without the times of earlier sessions");
    return {};
  }
}

}  // namespace

Run::Run(record::CellFolder cell, record::CellLock lock, const Report& report)
    : cell_(std::move(cell)),
      lock_(std::move(lock)),
      config_(read_run(cell_)),
      first_step_(newest_whole_step(cell_, warnings_to(report))) {}

void Run::begin(const PackOptions& options, std::size_t replicas, double chance_loss,
                const Report& report) {
  recorder_.emplace(cell_.record(), config_, first_step_, chance_loss);
  record::remove_checkpoints_after(cell_.checkpoint(), first_step_);

  manifest_ = earlier_manifest(cell_, report);
  const sweep::WorkerVersion version = worker_version();
  manifest_.versions = {
      {"layerlab", version.version}, {"torch", version.torch}, {"build", version.build}};
  manifest_.host = record::host_name();
  manifest_.device = options.device.str();
  manifest_.threads = options.threads;
  manifest_.replicas = static_cast<int>(replicas);
  if (manifest_.sittings++ == 0) manifest_.started = record::utc_now();
}

void Run::write_manifest(const TrainingSession& session) const {
  record::Manifest manifest = manifest_;
  session.add_to(manifest);
  record::write_manifest(cell_, manifest);
}

void Run::end(record::Done done, const TrainingSession& session) {
  recorder_->commit();
  recorder_.reset();
  write_manifest(session);
  record::write_done(cell_, done);
  lock_.reset();
}

}  // namespace layerlab::worker
