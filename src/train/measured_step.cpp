#include "train/measured_step.h"

#include "train/analyses.h"

namespace layerlab::train {

std::vector<StepValues> train_measured(Trainer& trainer, std::int64_t step, const Batch& batch,
                                       probe::Probe& probe,
                                       const std::vector<Recorder*>& recorders) {
  const std::vector<Analyses> analyses = analyse(trainer, step, batch);
  StepBuffer buffer;
  buffer.add(step, trainer.step(step, batch, &probe));
  std::vector<StepValues> values;
  for (const auto& of_one : buffer.take()) values.push_back(of_one.front());
  const std::vector<probe::StepMeasurements>& measured = probe.read(step);
  for (std::size_t r = 0; r < recorders.size(); ++r) {
    if (recorders[r] == nullptr) continue;
    recorders[r]->write(analyses[r]);
    recorders[r]->write(values[r]);
    recorders[r]->write(step, measured[r]);
  }
  return values;
}

}  // namespace layerlab::train
