// Multi-head attention, to the sequence itself or to a memory, with the replica axis.
//   Attention attention(AttentionOptions{.replicas = 1, .model = model, .branch = branch});
//   const at::Tensor y = attention(x, {.memory = memory, .mask = mask});
#pragma once

#include <functional>

#include "config/run_config.h"
#include "equation/program.h"
#include "models/linear.h"
#include "models/norm.h"
#include "models/rotary.h"

namespace layerlab::models {

struct AttentionOptions {
  std::int64_t replicas = 1;  // R
  config::ModelConfig model;  // width, heads, biases, positions; a kDecoder is causal
  equation::Branch branch;    // kCross: keys and values come from a memory
};

// What attention may read besides x; all may be left out, but for the memory of kCross.
struct AttentionInputs {
  at::Tensor memory = {};  // [R, B, T_m, D]: what kCross takes keys and values from
  at::Tensor mask = {};    // bool [R, B, T or T_m], true where a key is real; undefined: everywhere
  at::Tensor qk_gain = {};  // factor on q and k, [R, 1, 1, D]; undefined: none
  // Sees logits and weights, as an AttentionTap does; empty: nobody looks.
  std::function<void(const at::Tensor& logits, const at::Tensor& weights)> observe = {};
};

// softmax(q k^T / sqrt(K)) v per head, K = D / H, then W_o (Vaswani et al. 2017, 1706.03762, 3.2).
// Head h is columns hK .. (h+1)K - 1 of q, k and v. The branch's options apply in this order: norms
// of q and k, before heads are split or per head; of v, per head; the factor on q and k; rotary
// positions (not to a memory); the scale of q.k; head_scale, then the mid norm, before W_o; or
// head_scale after it, on slices of W_o's output.
class AttentionImpl : public torch::nn::Cloneable<AttentionImpl> {
 public:
  explicit AttentionImpl(AttentionOptions options);

  // x: [R, B, T, D] -> the same shape. A query that may see no real key reads a mean.
  at::Tensor forward(const at::Tensor& x, const AttentionInputs& inputs);

  void reset() override;

  AttentionOptions options;
  Linear q{nullptr}, k{nullptr}, v{nullptr}, o{nullptr};
  Norm q_norm{nullptr}, k_norm{nullptr}, v_norm{nullptr}, mid_norm{nullptr};
  at::Tensor head_scale;  // [R, H], ones; undefined without

 private:
  // q, k or v [R, B, T, D] by heads [R, B, T, H, K], normed and multiplied by `gain`.
  at::Tensor heads(const at::Tensor& joined, Norm& norm, const at::Tensor& gain) const;

  Rotary rotary_;
};
TORCH_MODULE(Attention);

}  // namespace layerlab::models
