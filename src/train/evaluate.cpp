#include "train/evaluate.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <vector>

#include "train/batch.h"
#include "train/forward.h"

namespace layerlab::train {

Evaluation evaluate(models::Stack& model, const config::TrainConfig& train, const tasks::Task& task,
                    at::Device device) {
  const c10::AutoGradMode no_gradients(false);
  const std::vector<std::uint64_t> replicas(
      model->options.replicas);  // held out: whatever the seed
  at::Tensor loss, accuracy, total;
  for (int i = 0; i < train.eval_batches; ++i) {
    const Batch batch = draw_batch(task, tasks::Split::kHeldOut, replicas, i, train.batch, device);
    const at::Tensor count = scored_count(batch.targets);
    const Loss sums = forward(model, train, batch, at::ones_like(count));
    const auto add = [&](at::Tensor& sum, const at::Tensor& of_batch) {
      sum = i == 0 ? of_batch : sum + of_batch;
    };
    add(loss, sums.loss);
    add(accuracy, sums.accuracy);
    add(total, count);
  }
  return {loss / total, accuracy / total};
}

}  // namespace layerlab::train
