// The whole model: embedding, blocks, head.
#pragma once

#include <memory>

#include "models/blocks.h"
#include "models/embedding.h"
#include "models/linear.h"
#include "tasks/task.h"

namespace layerlab::models {

struct StackOptions {
  std::int64_t replicas = 1;  // R independent models of one shape
  config::ModelConfig model;
  tasks::TaskShape task;  // T, V and the number of classes
  equation::Block block;  // what model.block stands for
};

// ids [R, B, T] int64 -> logits [R, B, T, classes].
class StackImpl : public torch::nn::Cloneable<StackImpl> {
 public:
  // Throws UserError where the equation does not compile.
  explicit StackImpl(StackOptions options);

  at::Tensor forward(const at::Tensor& ids, const TapFunction& tap = {});

  const Blocks& blocks() const { return *blocks_; }
  const equation::Program& program() const { return blocks_->program(); }

  void reset() override;

  StackOptions options;
  Embedding embedding{nullptr};
  Linear head{nullptr};  // null where its weights are the embedding's

 private:
  std::shared_ptr<Blocks> blocks_;  // shared: clone() copies, then resets
};
TORCH_MODULE(Stack);

}  // namespace layerlab::models
