#include "models/attention.h"

#include <cmath>
#include <limits>

namespace layerlab::models {
namespace {

// Keys of the future get -inf, which softmax turns into exactly 0.
at::Tensor causal_mask(const at::Tensor& scores) {
  const std::int64_t tokens = scores.size(1);
  return at::full({tokens, tokens}, -std::numeric_limits<double>::infinity(), scores.options())
      .triu(1);
}

}  // namespace

AttentionImpl::AttentionImpl(const AttentionOptions& attention_options)
    : options(attention_options) {
  reset();
}

void AttentionImpl::reset() {
  const LinearOptions square{options.replicas, options.width, options.width};
  q = register_module("q", Linear(square));
  k = register_module("k", Linear(square));
  v = register_module("v", Linear(square));
  o = register_module("o", Linear(square));
}

at::Tensor AttentionImpl::forward(const at::Tensor& x) {
  const std::int64_t R = x.size(0), B = x.size(1), T = x.size(2), D = x.size(3);
  const std::int64_t H = options.heads, K = D / H;
  const auto split = [&](const at::Tensor& joined) {  // [R, B, T, D] -> [RBH, T, K]
    return joined.view({R * B, T, H, K}).transpose(1, 2).reshape({R * B * H, T, K});
  };
  // Plain batched products: at the narrow heads of toy models they beat the flash kernel.
  const at::Tensor queries = split(q(x)) * (1 / std::sqrt(static_cast<double>(K)));
  at::Tensor scores = at::bmm(queries, split(k(x)).transpose(1, 2));  // [RBH, T, T]
  if (options.causal) scores = scores + causal_mask(scores);
  const at::Tensor read = at::bmm(at::softmax(scores, -1), split(v(x)));  // [RBH, T, K]
  return o(read.view({R * B, H, T, K}).transpose(1, 2).reshape({R, B, T, D}));
}

}  // namespace layerlab::models
