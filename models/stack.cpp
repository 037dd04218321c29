#include "models/stack.h"

#include <utility>

namespace layerlab::models {

StackImpl::StackImpl(StackOptions stack_options) : options(std::move(stack_options)) { reset(); }

void StackImpl::reset() {
  const std::int64_t R = options.replicas;
  const config::ModelConfig& model = options.model;
  embedding = register_module(
      "embedding", Embedding(EmbeddingOptions{R, options.task.vocabulary, options.task.tokens,
                                              model.width, model.positions}));
  blocks_ = std::make_shared<Blocks>(*this, BlocksOptions{R, model},
                                     equation::compile(options.block, model.depth));
  head = register_module("head", Linear(LinearOptions{R, model.width, options.task.outputs}));
}

at::Tensor StackImpl::forward(const at::Tensor& ids, const TapFunction& tap) {
  return head(blocks_->forward(embedding(ids), tap));
}

}  // namespace layerlab::models
