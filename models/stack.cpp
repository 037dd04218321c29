#include "models/stack.h"

#include <cassert>
#include <string>
#include <utility>

#include "config/model_parts.h"

namespace layerlab::models {
namespace {

EmbeddingOptions embedding_options(const StackOptions& options, const config::ModelPart& part,
                                   const equation::Program& program) {
  const bool reads_source = part.side() == "encoder";
  EmbeddingOptions result;
  result.replicas = options.replicas;
  result.vocabulary = options.task.vocabulary;
  result.features = options.task.features;
  result.tokens = reads_source ? options.task.source_tokens : options.task.tokens;
  result.width = part.model.width;
  result.positions = part.model.positions;
  result.gain = program.embedding_gain;
  result.deviation = program.embedding_deviation;
  if (part.model.embedding_norm) {
    equation::Norm norm;
    norm.type = equation::NormType::kModel;
    norm.weight = {part.model.width};
    result.norm = norm_options(options.replicas, norm, part.model);
  }
  return result;
}

}  // namespace

StackImpl::StackImpl(StackOptions stack_options) : options(std::move(stack_options)) { reset(); }

void StackImpl::reset() {
  const std::int64_t R = options.replicas;
  sub_stacks_.clear();
  taps_.clear();
  for (const config::ModelPart& part : config::model_parts(options.model, options.block)) {
    const std::string& name = part.side();
    torch::nn::Module& root =
        name.empty() ? *this : *register_module(name, std::make_shared<torch::nn::Module>());
    equation::Program program = equation::compile(part.block, part.sizes);
    const BlocksOptions blocks_options{R, part.model, static_cast<int>(taps_.size())};
    taps_.insert(taps_.end(), program.taps.begin(), program.taps.end());
    const Embedding embedding =
        root.register_module("embedding", Embedding(embedding_options(options, part, program)));
    sub_stacks_.push_back({embedding,
                           std::make_shared<Blocks>(root, blocks_options, std::move(program)),
                           part.model.kind == config::ModelKind::kDecoder});
  }
  if (options.model.tied) {
    assert(options.task.outputs <= options.task.vocabulary);
  } else {
    head = register_module("head",
                           Linear(LinearOptions{R, options.model.width, options.task.outputs}));
  }
}

at::Tensor StackImpl::forward(const StackInput& input, const Observers& observers,
                              const Dropout* dropout) {
  const at::Tensor x = stream(input, observers, dropout);
  if (head) return head(x);
  return sub_stacks_.back().embedding->logits(x).narrow(-1, 0, options.task.outputs);
}

at::Tensor StackImpl::stream(const StackInput& input, const Observers& observers,
                             const Dropout* dropout) {
  ForwardContext around;
  around.dropout = dropout;
  if (sub_stacks_.size() == 2) {
    const at::Tensor source_mask = mask(input.source);
    around.mask = source_mask;
    around.memory = run(sub_stacks_.front(), input.source, observers, around);
    around.memory_mask = source_mask;
  }
  around.mask = sub_stacks_.back().causal ? at::Tensor() : mask(input.tokens);
  return run(sub_stacks_.back(), input.tokens, observers, around);
}

at::Tensor StackImpl::run(const SubStack& side, const at::Tensor& tokens,
                          const Observers& observers, const ForwardContext& around) {
  Embedding embedding = side.embedding;
  at::Tensor x = embedding(tokens);
  if (around.dropout != nullptr) {
    x = (*around.dropout)(x, side.blocks->program().prefix() + "embedding");
  }
  return side.blocks->forward(x, observers, around);
}

// False where there is padding; undefined where the task has none.
at::Tensor StackImpl::mask(const at::Tensor& ids) const {
  return options.task.padding < 0 ? at::Tensor() : ids != options.task.padding;
}

}  // namespace layerlab::models
