#include "models/attention.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "models/align.h"

namespace layerlab::models {

using equation::BranchType;
using equation::HeadScale;

namespace {

// Keys of the future get -inf, which softmax turns into exactly 0.
at::Tensor causal_mask(const at::Tensor& scores) {
  const std::int64_t tokens = scores.size(1);
  return at::full({tokens, tokens}, -std::numeric_limits<double>::infinity(), scores.options())
      .triu(1);
}

// The score of a padded key. Softmax turns it into exactly 0, every dtype holds it, and it is
// finite, so a query that may see no other key still has numbers.
constexpr double kPaddedScore = -1e30;

// Scores [RBH, T, T_k] without the keys where `mask` is false.
at::Tensor without_padding(const at::Tensor& scores, const at::Tensor& mask, std::int64_t heads) {
  const at::Tensor padding = mask.flatten(0, 1).logical_not().unsqueeze(1).unsqueeze(1);
  return scores.unflatten(0, {-1, heads}).masked_fill(padding, kPaddedScore).flatten(0, 1);
}

}  // namespace

AttentionImpl::AttentionImpl(AttentionOptions attention_options)
    : options(std::move(attention_options)) {
  reset();
}

void AttentionImpl::reset() {
  const equation::Branch& branch = options.branch;
  const std::int64_t D = options.model.width, H = options.model.heads;
  const auto linear = [&](const char* name) {
    LinearOptions square{options.replicas, D, D, options.model.attention_bias};
    if (branch.gain.contains(name)) square.gain = branch.gain.at(name);
    if (branch.deviation.contains(name)) square.deviation = branch.deviation.at(name);
    return register_module(name, Linear(square));
  };
  q = linear("q");
  k = linear("k");
  v = linear("v");
  o = linear("o");
  const auto norm = [&](const std::optional<equation::Norm>& text) -> Norm {
    if (!text) return nullptr;
    const std::string name = text->name.substr(text->name.rfind('.') + 1);
    return register_module(name, Norm(norm_options(options.replicas, *text, options.model)));
  };
  q_norm = norm(branch.q);
  k_norm = norm(branch.k);
  v_norm = norm(branch.v);
  mid_norm = norm(branch.mid);
  if (branch.head_scale != HeadScale::kNone) {
    head_scale = register_parameter("head_scale", at::ones({options.replicas, H}));
  }
}

at::Tensor AttentionImpl::heads(const at::Tensor& joined, Norm& norm,
                                const at::Tensor& gain) const {
  const std::int64_t H = options.model.heads, D = options.model.width, K = D / H;
  const bool before = norm && norm->options.weight == std::vector<std::int64_t>{D};
  at::Tensor split = (before ? norm(joined) : joined).unflatten(-1, {H, K});  // [R, B, T, H, K]
  if (norm && !before) split = norm(split);
  return gain.defined() ? split * gain.unflatten(-1, {H, K}) : split;
}

at::Tensor AttentionImpl::forward(const at::Tensor& x, const AttentionInputs& inputs) {
  const equation::Branch& branch = options.branch;
  const bool cross = branch.type == BranchType::kCross;
  assert(!cross || inputs.memory.defined());
  const at::Tensor& source = cross ? inputs.memory : x;
  const std::int64_t H = options.model.heads, K = options.model.width / H;
  const bool rotary = !cross && options.model.positions == config::Positions::kRotary;
  const auto batched = [&](const at::Tensor& split, bool turned) {  // -> [RBH, T, K]
    const at::Tensor apart = split.transpose(2, 3);
    return (turned ? rotary_.rotate(apart) : apart).flatten(0, 2);
  };

  // Plain batched products: at the narrow heads of toy models they beat the flash kernel.
  const double scale = branch.scale > 0 ? branch.scale : 1 / std::sqrt(static_cast<double>(K));
  const at::Tensor queries = batched(heads(q(x), q_norm, inputs.qk_gain), rotary) * scale;
  const at::Tensor keys = batched(heads(k(source), k_norm, inputs.qk_gain), rotary);
  const at::Tensor values = batched(heads(v(source), v_norm, {}), false);
  at::Tensor scores = at::bmm(queries, keys.transpose(1, 2));  // [RBH, T, T_k]
  if (!cross && options.model.kind == config::ModelKind::kDecoder) {
    scores = scores + causal_mask(scores);
  }
  if (inputs.mask.defined()) scores = without_padding(scores, inputs.mask, H);
  const at::Tensor weights = at::softmax(scores, -1);
  if (inputs.observe) {
    const auto by_head = [&](const at::Tensor& all) {
      return all.unflatten(0, {x.size(0), x.size(1), H});
    };
    inputs.observe(by_head(scores), by_head(weights));
  }
  const at::Tensor read = at::bmm(weights, values);  // [RBH, T, K]

  at::Tensor split = read.unflatten(0, {x.size(0), x.size(1), H}).transpose(2, 3);
  const auto scaled = [&](const at::Tensor& of_heads) {  // [R, B, T, H, K]
    return of_heads * shared_by_tokens(head_scale, of_heads.dim() - 1).unsqueeze(-1);
  };
  if (branch.head_scale == HeadScale::kBefore) split = scaled(split);
  at::Tensor joined = split.flatten(3);
  if (mid_norm) joined = mid_norm(joined);
  joined = o(joined);
  if (branch.head_scale != HeadScale::kAfter) return joined;
  return scaled(joined.unflatten(-1, {H, K})).flatten(3);
}

}  // namespace layerlab::models
