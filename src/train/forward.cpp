#include "train/forward.h"

#include "train/autocast.h"

namespace layerlab::train {

Loss forward(models::Stack& model, const config::TrainConfig& train, const Batch& batch,
             const at::Tensor& count, const models::Observers& observers,
             const models::Dropout* dropout) {
  const Autocast autocast(batch.inputs.device(), train.dtype == config::Dtype::kBfloat16);
  at::Tensor inputs = batch.inputs;
  // Features are numbers of the data's own type: the model's may be wider.
  if (inputs.is_floating_point() && train.dtype == config::Dtype::kFloat64) {
    inputs = inputs.to(at::kDouble);
  }
  at::Tensor outputs = model(models::StackInput{inputs, batch.source}, observers, dropout);
  if (outputs.scalar_type() == at::kBFloat16) outputs = outputs.to(at::kFloat);
  return score(outputs, batch.targets, count, {train.label_smoothing, train.z_loss});
}

}  // namespace layerlab::train
