#include "models/stack.h"

#include <cassert>
#include <utility>

#include "config/model_parts.h"

namespace layerlab::models {
namespace {

EmbeddingOptions embedding_options(const StackOptions& options, const config::ModelPart& part,
                                   const equation::Program& program) {
  const bool reads_source = part.side == "encoder";
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
  sides_.clear();
  taps_.clear();
  for (const config::ModelPart& part : config::model_parts(options.model, options.block)) {
    const auto owner = part.side.empty()
                           ? nullptr
                           : register_module(part.side, std::make_shared<torch::nn::Module>());
    torch::nn::Module& root = owner == nullptr ? *this : *owner;
    StackSide& side = sides_.emplace_back(StackSide{part.side, Embedding(nullptr)});
    equation::Program program = equation::compile(part.block, part.sizes);
    side.embedding =
        root.register_module("embedding", Embedding(embedding_options(options, part, program)));
    side.blocks = std::make_shared<Blocks>(root, BlocksOptions{R, part.model}, std::move(program));
    side.first_tap = static_cast<int>(taps_.size());
    side.causal = part.model.kind == config::ModelKind::kDecoder;
    for (equation::Tap tap : side.blocks->program().taps) {
      for (equation::Site& site : tap.sites) site.side = part.side;
      taps_.push_back(std::move(tap));
    }
  }
  if (options.model.tied) {
    assert(options.task.outputs <= options.task.vocabulary);
  } else {
    head = register_module("head",
                           Linear(LinearOptions{R, options.model.width, options.task.outputs}));
  }
}

at::Tensor StackImpl::forward(const StackInput& input, const TapFunction& tap,
                              const Dropout* dropout, const AttentionTap& attention) {
  Surroundings around;
  around.dropout = dropout;
  if (sides_.size() == 2) {
    const at::Tensor source_mask = mask(input.source);
    around.mask = source_mask;
    around.memory = run(sides_.front(), input.source, tap, attention, around);
    around.memory_mask = source_mask;
  }
  around.mask = sides_.back().causal ? at::Tensor() : mask(input.tokens);
  const at::Tensor x = run(sides_.back(), input.tokens, tap, attention, around);
  if (head) return head(x);
  return sides_.back().embedding->logits(x).narrow(-1, 0, options.task.outputs);
}

at::Tensor StackImpl::run(const StackSide& side, const at::Tensor& tokens, const TapFunction& tap,
                          const AttentionTap& attention, Surroundings around) {
  Embedding embedding = side.embedding;
  around.side = side.name.empty() ? "" : side.name + ".";
  at::Tensor x = embedding(tokens);
  if (around.dropout != nullptr) x = (*around.dropout)(x, around.side + "embedding");
  const TapFunction shifted = [&](int index, const at::Tensor& value) {
    return tap(side.first_tap + index, value);
  };
  const AttentionTap attention_shifted = [&](int index, const at::Tensor& logits,
                                             const at::Tensor& weights) {
    attention(side.first_tap + index, logits, weights);
  };
  if (attention) around.attention = &attention_shifted;
  return side.blocks->forward(x, tap ? shifted : TapFunction(), around);
}

// False where there is padding; undefined where the task has none.
at::Tensor StackImpl::mask(const at::Tensor& ids) const {
  return options.task.padding < 0 ? at::Tensor() : ids != options.task.padding;
}

}  // namespace layerlab::models
