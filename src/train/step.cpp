#include "train/step.h"

#include <ATen/ATen.h>

#include "train/autocast.h"
#include "train/clip.h"
#include "train/loss.h"

namespace layerlab::train {
namespace {

// The loss of one part of a batch, computed in the dtype that `train` names.
Loss forward(models::Stack& model, const config::TrainConfig& train, const Batch& part,
             const at::Tensor& count, const models::TapFunction& tap) {
  const Autocast autocast(part.inputs.device(), train.dtype == config::Dtype::kBfloat16);
  at::Tensor outputs = model(models::StackInput{part.inputs, part.source}, tap);
  if (outputs.scalar_type() == at::kBFloat16) outputs = outputs.to(at::kFloat);
  return score(outputs, part.targets, count, {train.label_smoothing, train.z_loss});
}

// Part i of n along B.
Batch part_of(const Batch& batch, std::int64_t i, std::int64_t n) {
  const auto part = [&](const at::Tensor& all) {
    return all.defined() ? all.chunk(n, 1)[i] : at::Tensor();
  };
  return {part(batch.source), part(batch.inputs), part(batch.targets)};
}

}  // namespace

StepResult train_step(models::Stack& model, models::Parameters& parameters, Optimizer& optimizer,
                      const config::TrainConfig& train, const Batch& batch, std::int64_t step,
                      const at::Tensor& limits, probe::Probe* probe) {
  if (probe) probe->begin();
  const at::Tensor count = scored_count(batch.targets);
  at::Tensor loss, minimised, accuracy;
  for (int i = 0; i < train.accumulate; ++i) {
    const bool first = i == 0;
    const Loss part = forward(model, train, part_of(batch, i, train.accumulate), count,
                              probe && first ? probe->tap() : models::TapFunction());
    // Of a sum each replica gets its own loss's gradient.
    parameters.backward(part.minimised.sum(), /*add=*/!first);
    const auto add = [&](at::Tensor& sum, const at::Tensor& of_part) {
      sum = first ? of_part.detach() : sum + of_part.detach();
    };
    add(loss, part.loss);
    add(minimised, part.minimised);
    add(accuracy, part.accuracy);
  }

  if (probe) probe->before_clip();
  const at::Tensor norms = gradient_norms(parameters);
  const at::Tensor clipped = clip_gradients(parameters, norms, limits);
  if (probe) probe->after_clip();

  optimizer.step(step, minimised.isfinite().logical_and(norms.isfinite()));
  if (probe) probe->after_update();
  return {loss, accuracy, norms, clipped};
}

}  // namespace layerlab::train
