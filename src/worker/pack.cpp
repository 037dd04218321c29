#include "worker/pack.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.h"
#include "models/admin_profile.h"
#include "models/init.h"
#include "models/parameters.h"
#include "models/stack.h"
#include "probe/probe.h"
#include "probe/schedule.h"
#include "record/cell.h"
#include "record/checkpoint_files.h"
#include "tasks/catalogue.h"
#include "train/batch.h"
#include "train/checkpoint.h"
#include "train/optimizer.h"
#include "train/recorder.h"
#include "train/step.h"
#include "worker/sitting.h"

namespace layerlab::worker {
namespace {

using record::CellFolder;
using record::CellState;

constexpr std::size_t kMostKept = 256;  // steps on the device before they are written

struct Runs {
  std::vector<CellFolder> cells;
  std::vector<config::RunConfig> configs;
  std::vector<std::uint64_t> seeds;

  explicit Runs(const std::vector<std::filesystem::path>& folders) {
    for (const std::filesystem::path& folder : folders) {
      const CellFolder& cell = cells.emplace_back(CellFolder{folder});
      const config::RunConfig& run =
          configs.emplace_back(config::read_run_config(parse_toml_file(cell.config())));
      seeds.push_back(run.seed);
      if (config::pack_key(run) != config::pack_key(configs.front())) {
        throw UserError({cell.config().string()},
                        "expected a run of the same shape as " + cells.front().config().string(),
                        "train it by itself");
      }
    }
  }
};

// Whether the record holds every step before `step`: a record that was lost or cut cannot be
// completed by going on from a checkpoint.
bool record_reaches(const CellFolder& cell, std::int64_t step) {
  if (!std::filesystem::exists(cell.record())) return false;
  const record::Reader reader(cell.record());
  const auto count = reader.numbers("SELECT count(*) FROM scalar WHERE name = 'loss' AND step < " +
                                    std::to_string(step));
  return count[0][0] == static_cast<double>(step);
}

// The newest step that every cell has a checkpoint and all its measurements of, else 0.
std::int64_t common_checkpoint(const std::vector<CellFolder>& cells) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const CellFolder& cell : cells) {
    first = std::min(first, record::newest_checkpoint(cell.checkpoint()).value_or(0));
  }
  const bool everywhere = std::all_of(cells.begin(), cells.end(), [&](const CellFolder& cell) {
    return std::filesystem::exists(record::checkpoint_file(cell.checkpoint(), first)) &&
           record_reaches(cell, first);
  });
  return everywhere ? first : 0;
}

at::Tensor clip_limits(const std::vector<config::RunConfig>& runs, const at::Tensor& like) {
  std::vector<double> limits;
  for (const config::RunConfig& run : runs) {
    const double clip = run.train.clip;
    limits.push_back(clip > 0 ? clip : std::numeric_limits<double>::infinity());
  }
  return at::tensor(limits, like.options());
}

std::vector<std::filesystem::path> records(const std::vector<CellFolder>& cells) {
  std::vector<std::filesystem::path> paths;
  for (const CellFolder& cell : cells) paths.push_back(cell.record());
  return paths;
}

models::Stack make_model(const Runs& runs, const tasks::TaskShape& task, at::Device device) {
  const config::RunConfig& shape = runs.configs.front();
  models::Stack model(models::StackOptions{static_cast<std::int64_t>(runs.cells.size()),
                                           shape.model, task, shape.block});
  models::initialize(*model, shape.model.init, runs.seeds);
  const bool wide = shape.train.dtype == config::Dtype::kFloat64;
  model->to(device, wide ? at::kDouble : at::kFloat);
  return model;
}

// The parts of a training run, wired.
class Pack {
 public:
  Pack(const PackOptions& options, const Report& report)
      : report_(report),
        device_(options.device),
        runs_(options.cells),
        shape_(runs_.configs.front()),
        task_(tasks::make_task({shape_.task, shape_.model.kind, {}})),
        model_(make_model(runs_, task_->shape(), device_)),
        parameters_(*model_),
        optimizer_(train::make_optimizer(parameters_, runs_.configs)),
        limits_(clip_limits(runs_.configs, parameters_.values())),
        probe_(model_->taps(), parameters_),
        step_(common_checkpoint(runs_.cells)),
        recorder_(records(runs_.cells), runs_.configs, step_),
        sitting_(runs_.cells, options),
        ended_(runs_.cells.size()) {
    if (step_ == 0) profile();
    for (std::size_t r = 0; step_ > 0 && r < ended_.size(); ++r) {
      train::load_checkpoint(runs_.cells[r].checkpoint(), step_, r, parameters_, *optimizer_);
    }
  }

  PackOutcome train(const std::atomic<bool>& stop) {
    const std::int64_t steps = shape_.train.steps;
    while (step_ < steps && !all_ended()) {
      if (stop) {
        settle(false);
        commit();
        save();
        sitting_.write_manifests();
        return PackOutcome::kInterrupted;
      }
      train_one();
    }
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      if (!ended_[r]) end(r, CellState::kFinished, steps);
    }
    return PackOutcome::kDone;
  }

 private:
  train::Batch draw(std::int64_t step) const {
    return train::draw_batch(*task_, tasks::Split::kTraining, runs_.seeds, step, shape_.train.batch,
                             device_);
  }

  // Sets the learned weights of skips that wait for a first forward pass.
  void profile() {
    models::Omegas omegas;
    for (const models::StackSide& side : model_->sides()) {
      omegas.merge(models::omegas_of(*side.blocks, side.name));
    }
    if (omegas.empty()) return;
    const train::Batch first = draw(0);
    models::profile_omegas(omegas, model_->taps(), [&](const models::TapFunction& tap) {
      model_(models::StackInput{first.inputs, first.source}, tap);
    });
  }

  void train_one() {
    const bool measured = probe::due(shape_.probe, step_, shape_.train.steps);
    const train::Batch batch = draw(step_);
    recorder_.keep(step_, train::train_step(model_, parameters_, *optimizer_, shape_.train, batch,
                                            step_, limits_, measured ? &probe_ : nullptr));
    sitting_.add_step(batch.inputs.numel());
    ++step_;

    const bool last = step_ == shape_.train.steps;
    const bool report_due = last || sitting_.report_due();
    const bool checkpoint_due = last || step_ % shape_.train.checkpoint_every == 0;
    if (measured || report_due || checkpoint_due || recorder_.kept() == kMostKept) {
      settle(measured);
    }
    if (checkpoint_due || sitting_.commit_due()) {
      recorder_.add_seconds(step_ - 1, sitting_.seconds());
      commit();
    }
    if (checkpoint_due) save();
    if (report_due) {
      const auto& [loss, lr, grad_norm] = recorder_.latest();
      report_(sweep::Progress{step_, shape_.train.steps, loss, lr, grad_norm,
                              sitting_.tokens_per_second()});
    }
  }

  // Writes what was measured, and ends the runs that diverged.
  void settle(bool measured) {
    if (recorder_.kept() == 0) return;
    recorder_.flush();
    if (measured) recorder_.write(step_ - 1, probe_.read(step_ - 1));
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      const std::optional<std::int64_t> diverged = recorder_.diverged_at(r);
      if (!diverged || ended_[r]) continue;
      commit();
      end(r, CellState::kDiverged, *diverged + 1);
    }
  }

  void commit() {
    const Sitting::Clock::time_point begin = Sitting::Clock::now();
    recorder_.commit();
    sitting_.committed_since(begin);
  }

  void save() {
    for (std::size_t r = 0; r < ended_.size(); ++r) {
      if (ended_[r]) continue;
      train::save_checkpoint(runs_.cells[r].checkpoint(), step_, r, parameters_, *optimizer_);
    }
  }

  void end(std::size_t r, CellState state, std::int64_t taken) {
    ended_[r] = true;
    sitting_.write_manifest(r);
    record::write_done(runs_.cells[r], {state, taken});
    report_(sweep::CellEnded{runs_.cells[r].root.string(), state});
  }

  bool all_ended() const {
    return std::all_of(ended_.begin(), ended_.end(), [](bool ended) { return ended; });
  }

  const Report& report_;
  at::Device device_;
  Runs runs_;
  const config::RunConfig& shape_;  // what the runs have in common
  std::unique_ptr<tasks::Task> task_;
  models::Stack model_;
  models::Parameters parameters_;
  std::unique_ptr<train::Optimizer> optimizer_;
  at::Tensor limits_;  // [R]
  probe::Probe probe_;
  std::int64_t step_;  // the next one
  train::Recorder recorder_;
  Sitting sitting_;
  std::vector<bool> ended_;  // [R]
};

}  // namespace

PackOutcome train_pack(const PackOptions& options, const std::atomic<bool>& stop,
                       const Report& report) {
  std::vector<record::CellLock> locks;
  for (const std::filesystem::path& folder : options.cells) {
    locks.emplace_back(CellFolder{folder});
  }
  return Pack(options, report).train(stop);
}

}  // namespace layerlab::worker
