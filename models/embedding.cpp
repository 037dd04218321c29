#include "models/embedding.h"

#include <cmath>

namespace layerlab::models {
namespace {

// [1, T, D]: sin and cos of t / 10000^(2i/D), in turn along D.
at::Tensor sinusoids(std::int64_t tokens, std::int64_t width) {
  const at::Tensor t = at::arange(tokens, at::kDouble).unsqueeze(1);
  const at::Tensor even = at::arange(0, width, 2, at::kDouble);
  const at::Tensor angle = t * at::exp(even * (-std::log(10000.0) / static_cast<double>(width)));
  const at::Tensor both = at::stack({angle.sin(), angle.cos()}, -1).flatten(1);
  return both.slice(1, 0, width).to(at::kFloat).unsqueeze(0);
}

}  // namespace

EmbeddingImpl::EmbeddingImpl(const EmbeddingOptions& embedding_options)
    : options(embedding_options) {
  reset();
}

void EmbeddingImpl::reset() {
  const std::int64_t R = options.replicas, T = options.tokens, D = options.width;
  if (options.features > 0) {
    LinearOptions linear{R, options.features, D};
    linear.gain = options.gain;
    linear.deviation = options.deviation;
    read_in = register_module("read_in", Linear(linear));
  } else {
    token = register_parameter("token", at::empty({R, options.vocabulary, D}));
  }
  switch (options.positions) {
    case config::Positions::kLearned:
      position = register_parameter("position", at::empty({R, T, D}));
      break;
    case config::Positions::kSinusoidal:
      position = register_buffer("position", sinusoids(T, D));
      break;
    case config::Positions::kRotary:  // attention's own
    case config::Positions::kNone:
      break;
  }
  if (options.norm) norm = register_module("norm", Norm(*options.norm));
}

at::Tensor EmbeddingImpl::forward(const at::Tensor& tokens) {
  at::Tensor x = read_in ? read_in(tokens) : look_up(tokens);
  if (position.defined()) x = x + position.slice(1, 0, tokens.size(2)).unsqueeze(1);
  return norm ? norm(x) : x;
}

at::Tensor EmbeddingImpl::look_up(const at::Tensor& ids) {
  const std::int64_t R = options.replicas, V = options.vocabulary;
  const at::Tensor rows = token.reshape({R * V, options.width});
  const at::Tensor first_row = (at::arange(R, ids.options()) * V).view({R, 1, 1});
  return at::embedding(rows, ids + first_row);
}

at::Tensor EmbeddingImpl::logits(const at::Tensor& x) {
  return at::bmm(x.flatten(1, 2), token.transpose(1, 2)).unflatten(1, x.sizes().slice(1, 2));
}

}  // namespace layerlab::models
