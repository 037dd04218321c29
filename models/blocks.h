// The stack of blocks: executes a compiled equation on LibTorch modules.
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <vector>

#include "config/run_config.h"
#include "equation/program.h"
#include "models/attention.h"
#include "models/dropout.h"
#include "models/feed_forward.h"
#include "models/gru.h"
#include "models/norm.h"
#include "models/tap.h"

namespace layerlab::models {

struct BlocksOptions {
  std::int64_t replicas = 1;  // R
  config::ModelConfig model;  // sizes, activation, biases, what `N` means; kDecoder is causal
  int first_tap = 0;          // what observers are told for the first of program().taps
};

// Inputs of a forward pass besides x.
struct ForwardContext {
  at::Tensor memory = {};  // [R, B, T_m, D]; REQUIRED where the program has cross-attention
  at::Tensor mask = {},
             memory_mask = {};  // bool [R, B, T], [R, B, T_m]: false where there is padding
  // On what each branch returns, as in Vaswani et al. 2017 (1706.03762, 5.4); null: none.
  const Dropout* dropout = nullptr;
};

// x [R, B, T, D] -> [R, B, T, D], by the program's instructions: start, every block, finish.
// Its modules and learned tensors belong to `owner`, under the names that the program gives:
// "blocks.0.attn.q.weight", "blocks.0.attn.norm.weight", "final_norm.weight", "blocks.0.alpha".
// That is why it is no module itself: it would put a name of its own in front.
class Blocks {
 public:
  Blocks(torch::nn::Module& owner, const BlocksOptions& options, equation::Program program);

  // Observers see every place in program().taps as it is computed. A value that does not depend
  // on tokens passes as [R, 1, 1, *S].
  at::Tensor forward(const at::Tensor& x, const Observers& observers = {},
                     const ForwardContext& around = {});

  const equation::Program& program() const { return program_; }

  // The learned tensor [R, *S] of program().parameters[index].
  const at::Tensor& parameter(int index) const { return parameters_[index]; }

 private:
  void make_branch(torch::nn::Module& owner, const BlocksOptions& options,
                   const equation::Branch& branch);
  at::Tensor evaluate(const equation::Instruction& instruction,
                      const std::vector<at::Tensor>& operands, const at::Tensor& x,
                      const Observers& observers, const ForwardContext& around);
  at::Tensor branch(const equation::Instruction& instruction,
                    const std::vector<at::Tensor>& operands, const at::Tensor& x,
                    const Observers& observers, const ForwardContext& around);

  equation::Program program_;
  std::vector<Norm> norms_;            // as program.norms
  std::vector<Attention> attentions_;  // as program.branches; null where it is feed-forward
  std::vector<FeedForward> feed_forwards_;
  std::vector<Gru> grus_;               // as program.grus
  std::vector<at::Tensor> parameters_;  // as program.parameters
  std::vector<int> tap_of_;             // by register, what observers are told; -1: not tapped
};

}  // namespace layerlab::models
