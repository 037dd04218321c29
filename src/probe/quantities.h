// What can be said of a tensor, one number for each replica. All on the tensor's device.
#pragma once

#include <ATen/core/Tensor.h>

namespace layerlab::probe {

// The L2 norm of every token: [R, B, T, ..., D] -> [R, B, T, ...], each stream by itself where a
// value holds several.
at::Tensor token_norms(const at::Tensor& x);

// Root mean square over all of a replica's values, from its token norms: -> [R].
at::Tensor rms(const at::Tensor& norms, std::int64_t width);

// Mean cosine between different tokens of one sequence, mean over sequences and streams: -> [R].
// 1 when all tokens point the same way (rank collapse), 0 when they are orthogonal; a token of
// zeros counts as orthogonal to all; NaN where sequences have one token. `norms` are x's token
// norms.
at::Tensor token_cosine(const at::Tensor& x, const at::Tensor& norms);

// The L2 norm of everything a replica has in `x`: [R, ...] -> [R].
at::Tensor total_norm(const at::Tensor& x);

}  // namespace layerlab::probe
