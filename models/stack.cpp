#include "models/stack.h"

#include <cassert>
#include <utility>

namespace layerlab::models {

StackImpl::StackImpl(StackOptions stack_options) : options(std::move(stack_options)) { reset(); }

void StackImpl::reset() {
  const std::int64_t R = options.replicas;
  const config::ModelConfig& model = options.model;
  if (model.kind == config::ModelKind::kEncoderDecoder || options.task.features > 0) {
    throw UserError({}, "this model has no cross-attention and reads ids only",
                    "write another model.kind or task.name");
  }
  EmbeddingOptions embedding_options{R, options.task.vocabulary, options.task.tokens, model.width,
                                     model.positions};
  if (model.embedding_norm) {
    equation::Norm norm;
    norm.type = equation::NormType::kModel;
    norm.weight = {model.width};
    embedding_options.norm = norm_options(R, norm, model);
  }
  embedding = register_module("embedding", Embedding(embedding_options));
  blocks_ = std::make_shared<Blocks>(*this, BlocksOptions{R, model},
                                     equation::compile(options.block, config::sizes_of(model)));
  if (model.tied) {
    assert(options.task.outputs <= options.task.vocabulary);
  } else {
    head = register_module("head", Linear(LinearOptions{R, model.width, options.task.outputs}));
  }
}

at::Tensor StackImpl::forward(const at::Tensor& ids, const TapFunction& tap) {
  const at::Tensor x = blocks_->forward(embedding(ids), tap);
  if (head) return head(x);
  return embedding->logits(x).narrow(-1, 0, options.task.outputs);
}

}  // namespace layerlab::models
