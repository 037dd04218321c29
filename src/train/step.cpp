#include "train/step.h"

#include <ATen/ATen.h>

#include <vector>

#include "models/dropout.h"
#include "train/clip.h"
#include "train/forward.h"

namespace layerlab::train {
namespace {

probe::Lengths lengths_of(const Batch& batch, const tasks::TaskShape& task) {
  return {probe::lengths_of(batch.source, task.padding),
          probe::lengths_of(batch.inputs, task.padding)};
}

std::vector<at::Tensor> values_of(const std::vector<Optimizer::State>& states) {
  std::vector<at::Tensor> values;
  for (const Optimizer::State& state : states) values.push_back(state.values);
  return values;
}

}  // namespace

Loss backpropagate(models::Stack& model, models::Parameters& parameters,
                   const config::TrainConfig& train, const Batch& batch, std::int64_t step,
                   const std::function<models::Observers(int part)>& observers_of) {
  const at::Tensor count = scored_count(batch.targets);
  Loss whole;
  for (int i = 0; i < train.accumulate; ++i) {
    const bool first = i == 0;
    const models::Dropout dropout(model->options.model.dropout, batch.seeds, step, i);
    const Loss part = forward(model, train, part_of(batch, i, train.accumulate), count,
                              observers_of(i), &dropout);
    // The gradient of the sum is each replica's gradient of its own loss.
    parameters.backward(part.minimised.sum(), /*add=*/!first);
    const auto add = [&](at::Tensor& sum, const at::Tensor& of_part) {
      sum = first ? of_part.detach() : sum + of_part.detach();
    };
    add(whole.loss, part.loss);
    add(whole.minimised, part.minimised);
    add(whole.accuracy, part.accuracy);
  }
  return whole;
}

StepResult train_step(models::Stack& model, models::Parameters& parameters, Optimizer& optimizer,
                      const config::TrainConfig& train, const Batch& batch, std::int64_t step,
                      const at::Tensor& limits, probe::Probe* probe) {
  if (probe) probe->begin(lengths_of(part_of(batch, 0, train.accumulate), model->options.task));
  const Loss losses = backpropagate(model, parameters, train, batch, step, [&](int part) {
    return probe != nullptr && part == 0 ? probe->observers() : models::Observers();
  });

  const GradientNorms norms = gradient_norms(parameters);
  if (probe) probe->before_clip(norms.slots);
  const at::Tensor clipped = clip_gradients(parameters, norms.whole, limits);
  if (probe) probe->after_clip(norms.whole, clipped);

  optimizer.begin(step, losses.minimised.isfinite().logical_and(norms.whole.isfinite()));
  const auto groups = probe ? parameters.groups_in_cache() : std::vector{parameters.all()};
  for (const models::Parameters::Group& group : groups) {
    if (probe) probe->before_update(group);
    optimizer.update(group);
    if (probe) probe->after_update(group, values_of(optimizer.states()));
  }
  return {losses.loss, losses.accuracy, norms.whole, clipped};
}

}  // namespace layerlab::train
