// The stack of blocks: executes a compiled equation on LibTorch modules.
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <vector>

#include "config/run_config.h"
#include "equation/program.h"
#include "models/attention.h"
#include "models/feed_forward.h"
#include "models/norm.h"
#include "models/tap.h"

namespace layerlab::models {

struct BlocksOptions {
  std::int64_t replicas = 1;  // R
  config::ModelConfig model;  // sizes, activation, what `N` means; kDecoder is causal
};

// x [R, B, T, D] -> [R, B, T, D], by the program's instructions: start, every block, finish.
// Its modules belong to `owner`, under the names that the program gives: "blocks.0.attn.q.weight",
// "blocks.0.attn.norm.weight", "final_norm.weight". That is why it is no module itself: it would
// put a name of its own in front.
class Blocks {
 public:
  Blocks(torch::nn::Module& owner, const BlocksOptions& options, equation::Program program);

  // `tap`, if given, sees every place in program().taps as it is computed.
  at::Tensor forward(const at::Tensor& x, const TapFunction& tap = {});

  const equation::Program& program() const { return program_; }

 private:
  at::Tensor branch(const equation::Instruction& instruction, const at::Tensor& x);

  equation::Program program_;
  std::vector<Norm> norms_;            // as program.norms
  std::vector<Attention> attentions_;  // as program.branches; null where it is feed-forward
  std::vector<FeedForward> feed_forwards_;
  std::vector<int> tap_of_;  // by register; -1: not tapped
};

}  // namespace layerlab::models
