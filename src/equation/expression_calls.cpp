// The part of ExpressionCompiler that compiles calls.

#include <algorithm>
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
  if (const Operation* row = find_operation(e.name)) return call_operation(*row, e, around.plain());
  for (const Expression& operand : e.operands) {  // a function of numbers, and not all are
    if (evaluate(operand, around.plain()).is_tensor()) {
      refuse(operand, around, "expected a number in " + e.name + "(...)");
    }
  }
  return {};
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

Value ExpressionCompiler::call_operation(const Operation& row, const Expression& e,
                                         const Around& around) {
  const auto expected = 1 + std::ranges::count(row.operands, ',');
  if (expected == 1) return operation(row.op, {only_tensor(e, around)}, e, around);

  const std::string call = std::string(row.name) + "(" + std::string(row.operands) + ")";
  if (std::ssize(e.operands) != expected) refuse(e, around, "expected " + call);
  std::vector<Value> values;
  for (const Expression& operand : e.operands) values.push_back(evaluate(operand, around));
  int index = -1;
  if (row.counts()) {
    const Value n = values.back();
    values.pop_back();
    const bool whole =
        !n.is_tensor() && n.number >= 1 && n.number <= 1024 && n.number == std::floor(n.number);
    if (!whole || !values[0].is_tensor()) {
      refuse(e, around, "expected " + call + " with a whole number n from 1 to 1024");
    }
    index = static_cast<int>(n.number);
  }
  std::vector<int> in;
  for (const Value& value : values) {
    if (!value.is_tensor()) refuse_operands(row, e, around);
    in.push_back(value.reg);
  }
  return operation(row.op, in, e, around, index);
}

}  // namespace layerlab::equation
