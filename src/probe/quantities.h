// What can be said of a tensor, a few numbers for each replica, in double and on the tensor's
// device. On the CPU every tensor is read once (loops.h); elsewhere by reductions of torch.
// A replica's numbers do not depend on its company, nor on the number of threads.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <string_view>
#include <vector>

#include "models/parameters.h"

namespace layerlab::probe {

// The columns of value_quantities().
inline constexpr std::array<std::string_view, 6> kValueQuantities = {
    "rms", "token_norm", "max_abs", "mean", "var", "token_cosine"};

// Of values x [R, B, T, ..., D], each stream by itself where they hold several: -> [R, 6].
//   rms, max_abs, mean, var   over everything that a replica has; var = mean((x - mean)^2)
//   token_norm                mean of the L2 norms of tokens
//   token_cosine              mean cosine between different tokens of a sequence, mean over
//                             sequences and streams: 1 when all point the same way (rank
//                             collapse), 0 when they are orthogonal, as a token of zeros is to
//                             all. NaN unless `cosine`, and where sequences have one token.
at::Tensor value_quantities(const at::Tensor& x, bool cosine);

// The L2 norm of everything a replica has in x [R, ...]: -> [R, 1].
at::Tensor total_norm(const at::Tensor& x);

// The L2 norm of each slot's part of group.part() of a tensor like Parameters::values():
// [R, count] -> [R, slots].
at::Tensor slot_norms(const at::Tensor& part, const models::Parameters::Group& group);

// As slot_norms, of `before` and of the difference of the two, in one pass.
struct ChangeNorms {
  at::Tensor before, change;
};
ChangeNorms change_norms(const at::Tensor& before, const at::Tensor& after,
                         const models::Parameters::Group& group);

// The columns of attention_quantities().
inline constexpr std::array<std::string_view, 2> kAttentionQuantities = {"entropy", "max_logit"};

// Of an AttentionTap's logits and weights: the weights' entropy -sum p log p in nats, mean over
// sequences, heads and queries, and the largest logit: -> [R, 2].
at::Tensor attention_quantities(const at::Tensor& logits, const at::Tensor& weights);

}  // namespace layerlab::probe
