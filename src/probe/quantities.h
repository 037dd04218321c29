// The quantities of a place: a few numbers for each replica, in double and on the tensor's device.
// On the CPU every tensor is read once (kernels/sums.h); elsewhere by reductions of torch.
// A replica's numbers do not depend on its company, nor on the number of threads, and padding is
// left out of them.
//   const at::Tensor numbers = value_quantities(x, /*cosine=*/true, lengths);  // [R, 6]
//
// A quantity is one row of kValueQuantities or kAttentionQuantities, which says how it is computed
// in both ways; its column and presets are in record/record.h (docs/extending.md).
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <string_view>

#include "kernels/sums.h"
#include "models/parameters.h"

namespace layerlab::probe {

// Of values x [R, B, T, ..., D], each stream by itself where they hold several.
struct ValueSums {
  double sum = 0, squares = 0, max_abs = 0;  // over all numbers of a replica
  double norms = 0;                          // over tokens, of their L2 norms
  double tokens = 0, numbers = 0;            // how many there are of each
  double cosine = 0;                         // the mean of token_cosine
};
struct ValueTensors {
  at::Tensor x;          // in float32 or float64; zeros where there is padding
  at::Tensor norms;      // [R, B, T, ...], L2 norms of tokens
  at::Tensor mean, var;  // [R]
  at::Tensor share;      // [R], how much of x is real; undefined: all
  at::Tensor lengths;    // [R, B], or undefined
  bool cosine = false;

  at::Tensor mean_of(const at::Tensor& each) const;  // [R, B, T, ...] -> [R]
};
struct ValueQuantity {
  std::string_view name;                              // its column in the table `site`
  double (*by_sums)(const ValueSums& sums);           // on the CPU
  at::Tensor (*by_torch)(const ValueTensors& value);  // elsewhere: [R]
};
//   rms, max_abs, mean, var   over everything that a replica has; var = mean((x - mean)^2)
//   token_norm                mean of the L2 norms of tokens
//   token_cosine              mean cosine between different tokens of a sequence, mean over
//                             sequences of two or more and over streams: 1 when all point the same
//                             way (rank collapse), 0 when they are orthogonal, as a token of zeros
//                             is to all. NaN unless it is asked for, and where there are no pairs
extern const std::array<ValueQuantity, 6> kValueQuantities;

// [R, kValueQuantities] of x [R, B, T, ..., D]; the first lengths[r][b] tokens of a sequence count,
// all where `lengths` is undefined.
at::Tensor value_quantities(const at::Tensor& x, bool cosine, const at::Tensor& lengths = {});

struct AttentionTensors {
  at::Tensor logits, weights;  // [R, B, H, T, T_k], in float32 or float64
  at::Tensor real;             // bool [R, B, 1, T], the queries that count; undefined: all
};
struct AttentionQuantity {
  std::string_view name;
  double (*by_sums)(const kernels::AttentionSums& sums, double rows);
  at::Tensor (*by_torch)(const AttentionTensors& attention);  // [R]
};
//   entropy    of the weights, -sum p log p in nats, mean over sequences, heads and queries
//   max_logit  the largest logit
extern const std::array<AttentionQuantity, 2> kAttentionQuantities;

// [R, kAttentionQuantities] of what an AttentionTap sees; `lengths` [R, B] are those of queries.
at::Tensor attention_quantities(const at::Tensor& logits, const at::Tensor& weights,
                                const at::Tensor& lengths = {});

// The L2 norm of everything a replica has in x [R, ...]: -> [R, 1].
at::Tensor total_norm(const at::Tensor& x);

// As models::slot_norms, of `before` and of the difference of the two, in one pass.
struct ChangeNorms {
  at::Tensor before, change;
};
ChangeNorms change_norms(const at::Tensor& before, const at::Tensor& after,
                         const models::Parameters::Group& group);

// The same by torch's own operations, for devices and types that kernels/sums.h cannot read.
namespace reductions {
at::Tensor value_quantities(const at::Tensor& x, bool cosine, const at::Tensor& lengths = {});
at::Tensor attention_quantities(const at::Tensor& logits, const at::Tensor& weights,
                                const at::Tensor& lengths = {});
at::Tensor total_norm(const at::Tensor& x);

// bfloat16 has three digits: too few to measure in.
at::Tensor precise(const at::Tensor& x);
}  // namespace reductions

}  // namespace layerlab::probe
