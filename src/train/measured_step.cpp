#include "train/measured_step.h"

#include "train/analyses.h"

namespace layerlab::train {

void train_measured(Trainer& trainer, std::int64_t step, const Batch& batch, probe::Probe& probe,
                    Recorder& recorder) {
  recorder.write(analyse(trainer, step, batch));
  recorder.keep(step, trainer.step(step, batch, &probe));
  recorder.flush();
  recorder.write(step, probe.read(step));
}

}  // namespace layerlab::train
