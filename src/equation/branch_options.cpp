// The part of ExpressionCompiler that reads what is special inside a branch.

#include <algorithm>

#include "core/names.h"
#include "equation/branch_kinds.h"
#include "equation/expression.h"

namespace layerlab::equation {
namespace {

bool has_option(const BranchKind& kind, const Option& option) {
  return std::ranges::find(kind.options, option.name) != kind.options.end();
}

}  // namespace

void ExpressionCompiler::read_options(const Expression& e, const Around& around, Branch& branch,
                                      std::vector<int>& operands) {
  const BranchKind& own = branch_kind(branch.type);
  for (const Option& option : e.options) {
    // F stands for all branches: an option of another kind is for that one.
    const bool of_another =
        e.name == "F" && std::ranges::any_of(kBranchKinds, [&](const BranchKind& kind) {
          return has_option(kind, option);
        });
    if (has_option(own, option)) {
      read_option(option, around, branch, operands);
    } else if (!of_another) {
      fail(*around.context.source, option.begin,
           "expected an option of " + e.name + ", got '" + option.name + "'",
           suggestion(option.name, {own.options.begin(), own.options.end()}));
    }
  }
}

void ExpressionCompiler::read_option(const Option& option, const Around& around, Branch& branch,
                                     std::vector<int>& operands) {
  const Source& source = *around.context.source;
  if (option.name == "mid_norm") {
    const int width = branch.type == BranchType::kFeedForward ? sizes_.ff : sizes_.width;
    branch.mid = inner_norm(option, around, "norm_mid", {width});
  } else if (option.name == "qk_norm") {
    read_qk_norm(option, around, branch);
  } else if (option.name == "v_norm") {
    if (option.value.name != "head") {
      fail(source, option.value.begin, "expected head for v_norm");
    }
    branch.v = head_norm(option, around, NormType::kRmsNorm);
    branch.v->name = branch.name + ".head_norm_v";
    branch.v->weight = {sizes_.width / sizes_.heads};
  } else if (option.name == "head_scale") {
    if (option.value.name != "before" && option.value.name != "after") {
      fail(source, option.value.begin, "expected before or after for head_scale",
           "that is, before or after W_o");
    }
    branch.head_scale = option.value.name == "before" ? HeadScale::kBefore : HeadScale::kAfter;
  } else if (option.name == "scale") {
    const Value value = evaluate(option.value, around);
    if (value.is_tensor() || !(value.number > 0)) {
      fail(source, option.value.begin, "expected a number above 0 for scale");
    }
    branch.scale = value.number;
  } else if (option.name == "qk_gain") {
    branch.qk_gain = learned_factor(option, around, sizes_.width, operands);
  } else if (option.name == "up_gain") {
    branch.up_gain = learned_factor(option, around, sizes_.ff, operands);
  } else {
    branch.gate_gain = learned_factor(option, around, sizes_.ff, operands);
  }
}

Norm ExpressionCompiler::inner_norm(const Option& option, const Around& around,
                                    const std::string& name, Shape weight) {
  NormText text = read_norm(*around.context.source, option.value, scalars_);
  if (!option.value.operands.empty()) {
    fail(*around.context.source, option.value.operands[0].begin,
         "expected only options in a norm of " + option.name);
  }
  refuse_scope(option, around);
  const auto [kind, suffix] = split_suffix(option.value.name);
  if (!suffix.empty()) {
    fail(*around.context.source, option.value.begin,
         "expected a norm without a suffix for " + option.name + ", got " + option.value.name,
         "write " + kind + "; it is called " + name);
  }
  text.norm.name = around.context.prefix(around.branch) + name;
  if (text.affine && text.norm.type != NormType::kL2) text.norm.weight = std::move(weight);
  return text.norm;
}

void ExpressionCompiler::refuse_scope(const Option& option, const Around& around) const {
  for (const Option& inner : option.value.options) {
    if (inner.name != "scope") continue;
    fail(*around.context.source, inner.begin, "expected no scope in a norm of " + option.name,
         "it belongs to its branch");
  }
}

// The norm that an option such as head(eps=0) stands for, without a name and a weight.
Norm ExpressionCompiler::head_norm(const Option& option, const Around& around, NormType type) {
  refuse_scope(option, around);
  Expression text = option.value;
  text.name = type == NormType::kL2 ? "L2" : "RMS";
  const NormText norm = read_norm(*around.context.source, text, scalars_);
  if (!norm.affine) {
    fail(*around.context.source, option.value.begin,
         "expected a weight in a norm of " + option.name, "qk_norm=unit has none");
  }
  return norm.norm;
}

// head: per head, the same gain for all; heads: per head, each with its own; vector: over the
// whole width, before heads are split; unit: per head, no gain. The divisor is the root mean
// square (unit: the length), as in all models that publish it.
void ExpressionCompiler::read_qk_norm(const Option& option, const Around& around, Branch& branch) {
  const int head_width = sizes_.width / sizes_.heads;
  const std::string& kind = option.value.name;
  Norm norm = head_norm(option, around, kind == "unit" ? NormType::kL2 : NormType::kRmsNorm);
  std::string prefix = branch.name + ".";
  if (kind == "head") {
    norm.weight = {head_width};
  } else if (kind == "heads") {
    norm.weight = {sizes_.heads, head_width};
  } else if (kind == "vector") {
    norm.weight = {sizes_.width};
  } else if (kind != "unit") {
    fail(*around.context.source, option.value.begin,
         "expected head, heads, vector or unit for qk_norm");
  }
  branch.q = branch.k = norm;
  branch.q->name = prefix + (kind == "head" ? "head_norm_q" : "q_norm");
  branch.k->name = prefix + (kind == "head" ? "head_norm_k" : "k_norm");
}

int ExpressionCompiler::learned_factor(const Option& option, const Around& around, int size,
                                       std::vector<int>& operands) {
  const Value value = evaluate(option.value, around);
  if (!value.is_tensor() || shape(value) != Shape{size}) {
    fail(*around.context.source, option.value.begin,
         "expected a learned vector " + to_text({size}) + " for " + option.name,
         "declare it under param");
  }
  operands.push_back(value.reg);
  return static_cast<int>(operands.size()) - 1;
}

}  // namespace layerlab::equation
