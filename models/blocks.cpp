#include "models/blocks.h"

#include <string>
#include <utility>

#include "models/align.h"
#include "models/module_path.h"
#include "models/operations.h"

namespace layerlab::models {
namespace {

using equation::BranchType;
using equation::Op;

// [R, *S]: every replica begins with the same values.
at::Tensor first_value(const equation::Parameter& parameter, std::int64_t replicas) {
  std::vector<std::int64_t> sizes(parameter.shape.begin(), parameter.shape.end());
  const at::Tensor one = at::tensor(parameter.init, at::kDouble).view(sizes).to(at::kFloat);
  sizes.insert(sizes.begin(), replicas);
  return one.expand(sizes).clone();
}

// A value that tokens share, written out for each token of `x`; others as they are.
at::Tensor for_all_tokens(const at::Tensor& value, const at::Tensor& x) {
  std::vector<std::int64_t> sizes(value.sizes().begin(), value.sizes().end());
  sizes[1] = x.size(1);
  sizes[2] = x.size(2);
  return value.expand(sizes);
}

}  // namespace

Blocks::Blocks(torch::nn::Module& owner, const BlocksOptions& options, equation::Program program)
    : program_(std::move(program)), tap_of_(program_.registers, -1) {
  for (const equation::Branch& branch : program_.branches) make_branch(owner, options, branch);
  for (const equation::Norm& norm : program_.norms) {
    norms_.emplace_back(norm_options(options.replicas, norm, options.model));
    register_module_at(owner, norm.name, norms_.back().ptr());
  }
  for (const equation::Gru& gru : program_.grus) {
    grus_.emplace_back(GruOptions{options.replicas, options.model.width});
    register_module_at(owner, gru.name, grus_.back().ptr());
  }
  for (const equation::Parameter& parameter : program_.parameters) {
    parameters_.push_back(
        register_parameter_at(owner, parameter.name, first_value(parameter, options.replicas)));
  }
  for (std::size_t i = 0; i < program_.taps.size(); ++i) {
    tap_of_[program_.taps[i].reg] = options.first_tap + static_cast<int>(i);
  }
}

void Blocks::make_branch(torch::nn::Module& owner, const BlocksOptions& options,
                         const equation::Branch& branch) {
  attentions_.emplace_back(nullptr);
  feed_forwards_.emplace_back(nullptr);
  switch (branch.type) {
    case BranchType::kAttention:
    case BranchType::kCross:
      attentions_.back() = Attention(AttentionOptions{options.replicas, options.model, branch});
      register_module_at(owner, branch.name, attentions_.back().ptr());
      break;
    case BranchType::kFeedForward:
      feed_forwards_.back() =
          FeedForward(FeedForwardOptions{options.replicas, options.model, branch});
      register_module_at(owner, branch.name, feed_forwards_.back().ptr());
      break;
  }
}

at::Tensor Blocks::forward(const at::Tensor& x, const Observers& observers,
                           const ForwardContext& around) {
  std::vector<at::Tensor> registers(program_.registers);
  const auto write = [&](int reg, at::Tensor value) {
    const bool observed = observers.value && tap_of_[reg] >= 0;
    registers[reg] = observed ? observers.value(tap_of_[reg], value) : std::move(value);
  };

  write(0, x);
  for (const equation::Instruction& i : program_.instructions) {
    std::vector<at::Tensor> operands;
    for (const int reg : i.in) operands.push_back(registers[reg]);
    write(i.out, evaluate(i, operands, x, observers, around));
  }
  return for_all_tokens(registers[program_.output], x);
}

at::Tensor Blocks::evaluate(const equation::Instruction& i, const std::vector<at::Tensor>& operands,
                            const at::Tensor& x, const Observers& observers,
                            const ForwardContext& around) {
  if (i.op == Op::kNorm) return norms_[i.index](operands[0]);
  if (i.op == Op::kBranch) {
    const at::Tensor y = branch(i, operands, x, observers, around);
    if (around.dropout == nullptr) return y;
    return (*around.dropout)(y, program_.prefix() + program_.branches[i.index].name);
  }
  if (i.op == Op::kGru) {
    return grus_[i.index](for_all_tokens(operands[0], x), for_all_tokens(operands[1], x));
  }
  if (i.op == Op::kParameter) return shared_by_tokens(parameters_[i.index]);
  return compute(i, operands);
}

at::Tensor Blocks::branch(const equation::Instruction& i, const std::vector<at::Tensor>& operands,
                          const at::Tensor& x, const Observers& observers,
                          const ForwardContext& around) {
  const equation::Branch& branch = program_.branches[i.index];
  const at::Tensor input = for_all_tokens(operands[0], x);
  const auto factor = [&](int operand) { return operand < 0 ? at::Tensor() : operands[operand]; };
  if (branch.type == BranchType::kFeedForward) {
    return feed_forwards_[i.index](input, factor(branch.up_gain), factor(branch.gate_gain));
  }
  const at::Tensor& mask = branch.type == BranchType::kCross ? around.memory_mask : around.mask;
  AttentionInputs inputs{around.memory, mask, factor(branch.qk_gain)};
  if (observers.attention && tap_of_[i.out] >= 0) {
    inputs.observe = [&](const at::Tensor& logits, const at::Tensor& weights) {
      observers.attention(tap_of_[i.out], logits, weights);
    };
  }
  return attentions_[i.index](input, inputs);
}

}  // namespace layerlab::models
