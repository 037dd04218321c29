#include "models/blocks.h"

#include <memory>
#include <string>
#include <utility>

namespace layerlab::models {
namespace {

using equation::BranchType;
using equation::NormType;
using equation::Op;

// Registers `module` under a dotted path, making plain modules on the way: torch forbids dots in
// one name, and parameter names are to read "blocks.0.attn.q.weight".
void register_at(torch::nn::Module& root, const std::string& path,
                 std::shared_ptr<torch::nn::Module> module) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) {
    root.register_module(path, std::move(module));
    return;
  }
  const std::string head = path.substr(0, dot);
  const auto children = root.named_children();
  const auto child = children.contains(head)
                         ? children[head]
                         : root.register_module(head, std::make_shared<torch::nn::Module>());
  register_at(*child, path.substr(dot + 1), std::move(module));
}

config::NormKind norm_kind(NormType type, config::NormKind of_model) {
  switch (type) {
    case NormType::kLayerNorm:
      return config::NormKind::kLayerNorm;
    case NormType::kRmsNorm:
      return config::NormKind::kRmsNorm;
    case NormType::kModel:
      return of_model;
  }
  return of_model;
}

}  // namespace

Blocks::Blocks(torch::nn::Module& owner, const BlocksOptions& options, equation::Program program)
    : program_(std::move(program)),
      attentions_(program_.branches.size(), nullptr),
      feed_forwards_(program_.branches.size(), nullptr),
      tap_of_(program_.registers, -1) {
  const std::int64_t R = options.replicas;
  const config::ModelConfig& model = options.model;
  for (std::size_t i = 0; i < program_.branches.size(); ++i) {
    const auto& [type, name] = program_.branches[i];
    switch (type) {
      case BranchType::kAttention:
        attentions_[i] = Attention(AttentionOptions{R, model.width, model.heads,
                                                    model.kind == config::ModelKind::kDecoder});
        register_at(owner, name, attentions_[i].ptr());
        break;
      case BranchType::kFeedForward:
        feed_forwards_[i] =
            FeedForward(FeedForwardOptions{R, model.width, model.ff, model.activation});
        register_at(owner, name, feed_forwards_[i].ptr());
        break;
    }
  }
  for (const auto& [type, eps, name] : program_.norms) {
    norms_.emplace_back(
        NormOptions{R, model.width, norm_kind(type, model.norm), eps < 0 ? model.norm_eps : eps});
    register_at(owner, name, norms_.back().ptr());
  }
  for (std::size_t i = 0; i < program_.taps.size(); ++i) {
    tap_of_[program_.taps[i].reg] = static_cast<int>(i);
  }
}

at::Tensor Blocks::forward(const at::Tensor& x, const TapFunction& tap) {
  std::vector<at::Tensor> registers(program_.registers);
  const auto write = [&](int reg, at::Tensor value) {
    const bool observed = tap && tap_of_[reg] >= 0;
    registers[reg] = observed ? tap(tap_of_[reg], value) : std::move(value);
  };

  write(0, x);
  for (const equation::Instruction& i : program_.instructions) {
    const at::Tensor& a = registers[i.a];
    switch (i.op) {
      case Op::kAdd:
        write(i.out, a + registers[i.b]);
        break;
      case Op::kScale:
        write(i.out, i.number * a);
        break;
      case Op::kNorm:
        write(i.out, norms_[i.index](a));
        break;
      case Op::kBranch:
        write(i.out, branch(i, a));
        break;
    }
  }
  return registers[program_.output];
}

at::Tensor Blocks::branch(const equation::Instruction& instruction, const at::Tensor& x) {
  if (attentions_[instruction.index]) return attentions_[instruction.index](x);
  return feed_forwards_[instruction.index](x);
}

}  // namespace layerlab::models
