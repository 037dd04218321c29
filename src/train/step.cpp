#include "train/step.h"

#include <ATen/ATen.h>

#include "train/clip.h"
#include "train/loss.h"

namespace layerlab::train {

StepResult train_step(models::Stack& model, models::Parameters& parameters, Adam& optimizer,
                      const Batch& batch, std::int64_t step, const at::Tensor& limits,
                      probe::Probe* probe) {
  if (probe) probe->begin();
  const at::Tensor logits = model(models::StackInput{batch.inputs, batch.source},
                                  probe ? probe->tap() : models::TapFunction());
  const Loss loss = cross_entropy(logits, batch.targets);
  parameters.backward(loss.loss.sum());  // of a sum each replica gets its own loss's gradient

  if (probe) probe->before_clip();
  const at::Tensor norms = gradient_norms(parameters);
  const at::Tensor clipped = clip_gradients(parameters, norms, limits);
  if (probe) probe->after_clip();

  const at::Tensor loss_value = loss.loss.detach();
  optimizer.step(step, loss_value.isfinite().logical_and(norms.isfinite()));
  if (probe) probe->after_update();
  return {loss_value, loss.accuracy, norms, clipped};
}

}  // namespace layerlab::train
