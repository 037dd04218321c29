// The sizes of a task's batches, as theory needs them.
#pragma once

#include "tasks/task.h"
#include "theory/model.h"

namespace layerlab::theory {

// What a model reads and is scored on in batches of `batch` examples of `task`. Padding is left
// out: where lengths vary, they are means over training examples, rounded.
//   predict(run.model, run.block, batch_shape(*task, run.train.batch));
BatchShape batch_shape(const tasks::Task& task, int batch);

}  // namespace layerlab::theory
