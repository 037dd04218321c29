#include "train/forward.h"

#include "train/autocast.h"

namespace layerlab::train {

models::StackInput model_input(const config::TrainConfig& train, const Batch& batch) {
  const bool widen = batch.inputs.is_floating_point() && train.dtype == config::Dtype::kFloat64;
  return {widen ? batch.inputs.to(at::kDouble) : batch.inputs, batch.source};
}

Loss forward(models::Stack& model, const config::TrainConfig& train, const Batch& batch,
             const at::Tensor& count, const models::Observers& observers,
             const models::Dropout* dropout) {
  const Autocast autocast(batch.inputs.device(), train.dtype == config::Dtype::kBfloat16);
  at::Tensor outputs = model(model_input(train, batch), observers, dropout);
  if (outputs.scalar_type() == at::kBFloat16) outputs = outputs.to(at::kFloat);
  return score(outputs, batch.targets, count, {train.label_smoothing, train.z_loss});
}

}  // namespace layerlab::train
