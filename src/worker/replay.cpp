#include "worker/replay.h"

#include <fmt/format.h>

#include <string>

#include "probe/probe.h"
#include "train/measured_step.h"
#include "train/non_finite.h"
#include "train/recorder.h"
#include "train/trainer.h"
#include "worker/stored_run.h"

namespace layerlab::worker {
namespace {

// A trainer whose state is the run's before `step`.
void go_to(std::int64_t step, const record::CellFolder& cell, train::Trainer& trainer,
           const Report& report) {
  const std::int64_t begin = newest_whole_step(cell, warnings_to(report), step);
  if (begin == 0) {
    trainer.begin();
  } else {
    trainer.load(0, cell.checkpoint(), begin);
  }
  if (begin < step) {
    report(
        sweep::Message{sweep::Level::kInfo, fmt::format("repeating steps {} to {}", begin, step)});
  }
  for (std::int64_t s = begin; s < step; ++s) trainer.step(s, trainer.draw(s), nullptr);
}

}  // namespace

void replay(const ReplayOptions& options, const Report& report) {
  const record::CellFolder cell{options.cell};
  const config::RunConfig run = read_run(cell);
  train::Trainer trainer({run}, options.device);
  go_to(options.step, cell, trainer, report);

  config::ProbeConfig everything;
  everything.preset = config::ProbePreset::kFull;
  probe::Probe probe(everything, trainer.model()->taps(), trainer.parameters());

  std::filesystem::create_directories(options.record.parent_path());
  std::filesystem::remove(options.record);
  train::Recorder recorder(options.record, run, /*first=*/0, trainer.task().shape().chance_loss);
  train::train_measured(trainer, options.step, trainer.draw(options.step), probe, {&recorder});
  if (recorder.diverged_at()) {
    const auto cause = train::find_non_finite(trainer, 0, options.step);
    if (cause) recorder.write_event(*cause);
  }
  recorder.commit();
}

}  // namespace layerlab::worker
