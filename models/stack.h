// The whole model: embedding, blocks, head; or two such stacks, where the second reads the first.
#pragma once

#include <memory>
#include <vector>

#include "models/blocks.h"
#include "models/embedding.h"
#include "models/linear.h"
#include "tasks/task.h"

namespace layerlab::models {

struct StackOptions {
  std::int64_t replicas = 1;  // R independent models of one shape
  config::ModelConfig model;
  tasks::TaskShape task;  // T, S, V, the number of classes, which id is padding
  equation::Block block;  // what model.block stands for
};

struct StackInput {
  at::Tensor tokens;  // ids [R, B, T] int64, or features [R, B, T, F]
  at::Tensor source;  // ids [R, B, S], that an encoder reads; else undefined
};

// One stack of blocks behind its embedding.
struct SubStack {
  Embedding embedding;
  std::shared_ptr<Blocks> blocks;
  bool causal = false;
};

// StackInput -> logits [R, B, T, classes]. The decoder of an encoder-decoder attends to what its
// encoder made of the source; parameters begin with "encoder." and "decoder." then, and without a
// prefix otherwise. Padding is masked wherever attention could see it: a causal stack has it behind
// all that is scored.
class StackImpl : public torch::nn::Cloneable<StackImpl> {
 public:
  // Throws UserError where the equation does not compile.
  explicit StackImpl(StackOptions options);

  // Observers see every place in taps(), by its index there. `dropout`, if given, falls on
  // embeddings and on what branches return.
  at::Tensor forward(const StackInput& input, const Observers& observers = {},
                     const Dropout* dropout = nullptr);

  // The head's input: the last stack's stream behind its finish, [R, B, T, D].
  at::Tensor stream(const StackInput& input, const Observers& observers = {},
                    const Dropout* dropout = nullptr);

  // In the order in which they compute.
  const std::vector<SubStack>& sub_stacks() const { return sub_stacks_; }
  // All places of all sides.
  const std::vector<equation::Tap>& taps() const { return taps_; }

  void reset() override;

  StackOptions options;
  Linear head{nullptr};  // null where its weights are the last side's embedding

 private:
  static at::Tensor run(const SubStack& side, const at::Tensor& tokens, const Observers& observers,
                        const ForwardContext& around);
  at::Tensor mask(const at::Tensor& ids) const;

  std::vector<SubStack> sub_stacks_;
  std::vector<equation::Tap> taps_;
};
TORCH_MODULE(Stack);

}  // namespace layerlab::models
