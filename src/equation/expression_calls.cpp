// The part of ExpressionCompiler that compiles calls.

#include <cmath>

#include "equation/expression.h"
#include "equation/functions.h"
#include "equation/sublayers.h"

namespace layerlab::equation {

Value ExpressionCompiler::call(const Expression& e, const Around& around) {
  if (is_branch(e)) return call_branch(e, around);
  if (norm_type(e.name)) return call_norm(e, around.plain());
  if (!e.options.empty()) {
    fail(*around.context.source, e.options[0].begin, "expected no options in " + e.name + "(...)");
  }
  if (e.name == "GRU") return call_gru(e, around.plain());
  if (is_tensor_function(e.name)) return call_tensor_function(e, around.plain());
  std::vector<double> numbers;
  for (const Expression& operand : e.operands) {
    const Value value = evaluate(operand, around.plain());
    if (value.is_tensor()) refuse(operand, around, "expected a number in " + e.name + "(...)");
    numbers.push_back(value.number);
  }
  return {-1, apply_scalar_function(*around.context.source, e, numbers)};
}

Value ExpressionCompiler::call_norm(const Expression& e, const Around& around) {
  const Context& context = around.context;
  const int input = only_tensor(e, around);
  const Shape input_shape = builder_.shape(input);
  if (input_shape.empty()) refuse(e, around, "expected a vector in " + e.name + "(...)");
  NormText text = read_norm(*context.source, e, scalars_);

  // The owner: the innermost branch around; else the last one inside; else the statement's.
  const auto inside = branches_in(e.operands[0]);
  std::string owner = context.sublayer;
  if (!inside.empty()) owner = sublayer_name(*inside.back(), context.sublayer);
  if (!around.branch.empty()) owner = around.branch;
  const std::string role = (context.in_block()             ? ""
                            : context.sublayer == "finish" ? "final_"
                                                           : "start_") +
                           ("norm" + split_suffix(e.name).second);
  text.norm.name = context.prefix(text.scope, owner) + role;
  const bool learned = text.affine && text.norm.type != NormType::kL2;
  if (learned) text.norm.weight = {input_shape.back()};

  auto known = names_.norms.find(text.norm.name);
  if (known == names_.norms.end()) {
    builder_.program.norms.push_back(text.norm);
    const int index = static_cast<int>(builder_.program.norms.size()) - 1;
    known = names_.norms.emplace(text.norm.name, index).first;
  } else if (text.scope == Scope::kSublayer) {
    refuse(e, around, "expected norms of one sub-layer to have different names",
           "name this one, for example " + e.name + "_out");
  } else if (!(builder_.program.norms[known->second] == text.norm)) {
    refuse(e, around, "expected the same kind and options wherever " + text.norm.name + " stands",
           "name this one, for example " + e.name + "_out");
  }
  const int out = builder_.emit(Op::kNorm, {input}, input_shape, known->second);
  builder_.site(out, context.site(owner, role), false);
  return {out, 0};
}

Value ExpressionCompiler::call_branch(const Expression& e, const Around& around) {
  const Context& context = around.context;
  if (!context.in_block()) {
    refuse(e, around, "expected no branch outside the blocks", "move it into `equation`");
  }
  const std::string sublayer = sublayer_name(e, context.sublayer);
  const int input = only_tensor(e, around.inside(sublayer));
  const Shape token = {sizes_.width};
  if (builder_.shape(input) != token) {
    refuse(e, around,
           "expected " + to_text(token) + " in " + e.name + "(...), got " +
               to_text(builder_.shape(input)));
  }

  const int index = names_.branches.at(sublayer);
  std::vector<int> operands = {input};
  read_options(e, around.inside(sublayer), builder_.program.branches[index], operands);
  builder_.site(input, context.site(sublayer, "branch_in"), false);
  const int out = builder_.emit(Op::kBranch, operands, token, index);
  builder_.flow.returns(out, sublayer);
  builder_.site(out, context.site(sublayer, "branch"), false);
  return {out, 0};
}

Value ExpressionCompiler::call_gru(const Expression& e, const Around& around) {
  if (e.operands.size() != 2) refuse(e, around, "expected GRU(input, state)");
  std::vector<int> in;
  for (const Expression& operand : e.operands) {
    const Value value = evaluate(operand, around);
    if (!value.is_tensor() || shape(value) != Shape{sizes_.width}) {
      refuse(operand, around, "expected " + to_text({sizes_.width}) + " in GRU(...)");
    }
    in.push_back(value.reg);
  }
  const auto inside = branches_in(e);
  const std::string owner = inside.empty() ? around.context.sublayer
                                           : sublayer_name(*inside.back(), around.context.sublayer);
  const std::string name = around.context.prefix(Scope::kSublayer, owner) + "gru";
  for (const Gru& gru : builder_.program.grus) {
    if (gru.name == name) refuse(e, around, "expected one GRU in a sub-layer");
  }
  builder_.program.grus.push_back({name});
  const int index = static_cast<int>(builder_.program.grus.size()) - 1;
  const int out = builder_.emit(Op::kGru, in, {sizes_.width}, index);
  std::set<std::string> branches = builder_.flow.waiting(in[0]);
  branches.merge(builder_.flow.waiting(in[1]));
  join(branches, out, around);  // a gate is a sum with learned weights
  return {out, 0};
}

Value ExpressionCompiler::call_tensor_function(const Expression& e, const Around& around) {
  if (e.name == "outer") {
    if (e.operands.size() != 2) refuse(e, around, "expected outer(a, b)");
    const Value a = evaluate(e.operands[0], around), b = evaluate(e.operands[1], around);
    if (!a.is_tensor() || !b.is_tensor() || shape(a).size() != 1 || shape(b).size() != 1) {
      refuse(e, around, "expected two vectors in outer(...)");
    }
    return {builder_.emit(Op::kOuter, {a.reg, b.reg}, {shape(a)[0], shape(b)[0]}), 0};
  }
  if (e.name == "repeat") {
    if (e.operands.size() != 2) refuse(e, around, "expected repeat(value, n)");
    const Value a = evaluate(e.operands[0], around), n = evaluate(e.operands[1], around);
    if (!a.is_tensor() || n.is_tensor() || !(n.number >= 1 && n.number <= 1024) ||
        n.number != std::floor(n.number)) {
      refuse(e, around, "expected repeat(value, n) with a whole number n from 1 to 1024");
    }
    Shape result = shape(a);
    result.insert(result.begin(), static_cast<int>(n.number));
    return {builder_.emit(Op::kRepeat, {a.reg}, result, result.front()), 0};
  }

  const int input = only_tensor(e, around);
  Shape result = builder_.shape(input);
  if (e.name == "T") {
    if (result.size() != 2) refuse(e, around, "expected a matrix in T(...)");
    std::swap(result[0], result[1]);
    return {builder_.emit(Op::kTranspose, {input}, result), 0};
  }
  if (e.name == "sum") {
    if (result.size() != 2) refuse(e, around, "expected several streams, [n, D], in sum(...)");
    return {builder_.emit(Op::kSum, {input}, {result[1]}), 0};
  }
  if (e.name == "unit" && result.empty()) refuse(e, around, "expected a vector in unit(...)");
  const Op op = e.name == "sigmoid"    ? Op::kSigmoid
                : e.name == "tanh"     ? Op::kTanh
                : e.name == "abs"      ? Op::kAbs
                : e.name == "stopgrad" ? Op::kStopGradient
                                       : Op::kUnit;
  return {builder_.emit(op, {input}, result), 0};
}

}  // namespace layerlab::equation
