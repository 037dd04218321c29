#include "equation/expression.h"

#include <algorithm>
#include <cmath>

#include "core/names.h"
#include "equation/functions.h"
#include "equation/sublayers.h"

namespace layerlab::equation {

using Kind = Expression::Kind;

Value ExpressionCompiler::compile(const Expression& expression, const Context& context) {
  return evaluate(expression, {context, "", false});
}

Value ExpressionCompiler::evaluate(const Expression& e, const Around& around) {
  const Value value = evaluate_any(e, around);
  if (!value.is_tensor() && !std::isfinite(value.number)) {
    refuse(e, around, "expected a finite number, got " + std::to_string(value.number));
  }
  return value;
}

Value ExpressionCompiler::evaluate_any(const Expression& e, const Around& around) {
  switch (e.kind) {
    case Kind::kNumber:
      return {-1, e.number};
    case Kind::kName:
      return named(e, around);
    case Kind::kCall:
      return call(e, around);
    case Kind::kSum:
    case Kind::kDifference:
      return sum(e, around);
    case Kind::kMinus:
      return scaled(evaluate(e.operands[0], around.plain()), -1);
    case Kind::kProduct:
    case Kind::kQuotient:
      return product(e, around.plain());
    case Kind::kMatrixProduct:
      return matrix_product(e, around.plain());
    case Kind::kPower:
      return power(e, around.plain());
    case Kind::kIndex:
    case Kind::kSliceFrom:
      return element(e, around.plain());
  }
  return {};
}

Value ExpressionCompiler::named(const Expression& e, const Around& around) {
  if (const auto found = names_.values.find(e.name); found != names_.values.end()) {
    names_.unread.erase(e.name);
    names_.read.insert(e.name);
    return {found->second, 0};
  }
  const std::vector<ParameterEntry>& entries = around.context.block->parameters;
  for (const ParameterEntry& entry : entries) {
    if (entry.name == e.name) return parameter(entry, e, around);
  }
  if (scalars_.knows(e.name)) return {-1, scalars_.value(e.name)};

  if (is_function(e.name)) {
    refuse(e, around, "expected brackets after " + e.name, "write " + e.name + "(...)");
  }
  std::vector<std::string> known = scalars_.names();
  for (const auto& [name, reg] : names_.values) known.push_back(name);
  for (const ParameterEntry& entry : entries) known.push_back(entry.name);
  const std::string near = nearest(e.name, known);
  refuse(e, around, "expected a known name, got '" + e.name + "'",
         near.empty() ? "declare it under const or param" : "did you mean '" + near + "'?");
}

Value ExpressionCompiler::parameter(const ParameterEntry& entry, const Expression& e,
                                    const Around& around) {
  const std::string& owner = around.branch.empty() ? around.context.sublayer : around.branch;
  const std::string name = around.context.prefix(entry.scope, owner) + entry.name;
  if (const auto known = names_.parameters.find(name); known != names_.parameters.end()) {
    return {known->second, 0};
  }
  // Who shares it is the same everywhere, and cannot depend on where that is.
  Scalars shared = scalars_;
  if (entry.scope != Scope::kSublayer) shared.forget("s");
  if (entry.scope == Scope::kStack) shared.forget("l");
  Parameter made{name, {}, {}, entry.profiled};
  double count = 1;
  for (const Source& size : entry.shape) {
    const double value = shared.evaluate(size);
    if (!(value >= 1 && value <= 1e6 && value == std::floor(value))) {
      fail(size, 0, "expected a whole number from 1, got " + std::to_string(value));
    }
    made.shape.push_back(static_cast<int>(value));
    count *= value;
  }
  if (count > 1e7) refuse(e, around, "expected " + entry.name + " to have at most 1e7 numbers");
  made.init = initial_values(entry, made.shape, static_cast<int>(count), shared);
  const Shape made_shape = made.shape;
  builder_.program.parameters.push_back(std::move(made));
  const int index = static_cast<int>(builder_.program.parameters.size()) - 1;
  const int reg = builder_.emit(Op::kParameter, {}, made_shape, index);
  names_.parameters[name] = reg;
  return {reg, 0};
}

std::vector<double> ExpressionCompiler::initial_values(const ParameterEntry& entry,
                                                       const Shape& shape, int count,
                                                       Scalars& scalars) {
  const ScalarText text(entry.init);
  if (shape.empty() || (!text.names("i") && !text.names("j"))) {
    return std::vector<double>(count, scalars.evaluate(text));
  }
  const bool matrix = shape.size() > 1;
  const int columns = matrix ? shape.back() : 1;
  const int rows = matrix ? shape[shape.size() - 2] : count;
  std::vector<double> result;
  for (int n = 0; n < count; ++n) {
    scalars.set("i", n / columns % rows);
    if (matrix) scalars.set("j", n % columns);
    result.push_back(scalars.evaluate(text));
  }
  return result;
}

Value ExpressionCompiler::sum(const Expression& e, const Around& around) {
  // The branches that meet the stream in a chain of sums join it at the chain's end.
  std::set<std::string> outer;
  if (!around.in_sum) std::swap(outer, joined_);
  const Value a = evaluate(e.operands[0], around.part_of_sum());
  const Value right = evaluate(e.operands[1], around.part_of_sum());
  const Value b = e.kind == Kind::kDifference ? scaled(right, -1) : right;

  Value result{-1, a.number + b.number};
  if (a.is_tensor() && b.is_tensor()) {
    const std::optional<Shape> both = broadcast(shape(a), shape(b));
    if (!both) {
      refuse(e, around,
             "expected shapes that go together, got " + to_text(shape(a)) + " and " +
                 to_text(shape(b)));
    }
    joined_.merge(builder_.flow.meeting(a.reg, b.reg));
    result.reg = builder_.emit(Op::kAdd, {a.reg, b.reg}, *both);
  } else if (a.is_tensor() || b.is_tensor()) {
    const Value& tensor = a.is_tensor() ? a : b;
    const double number = a.is_tensor() ? b.number : a.number;
    result.reg = builder_.emit(Op::kShift, {tensor.reg}, shape(tensor), -1, number);
  }
  if (!around.in_sum) {
    join(joined_, result.reg, around);
    joined_ = std::move(outer);
  }
  return result;
}

void ExpressionCompiler::join(const std::set<std::string>& branches, int sum,
                              const Around& around) {
  for (const std::string& sublayer : branches) {
    builder_.site(sum, around.context.site(sublayer, "sum"), true);
    builder_.flow.join(sublayer);
  }
}

Value ExpressionCompiler::product(const Expression& e, const Around& around) {
  const Value a = evaluate(e.operands[0], around);
  const Value b = evaluate(e.operands[1], around);
  const bool divides = e.kind == Kind::kQuotient;
  if (!b.is_tensor()) {
    if (divides && b.number == 0) refuse(e, around, "expected a number other than 0 to divide by");
    return scaled(a, divides ? 1 / b.number : b.number);
  }
  if (!a.is_tensor()) {
    if (divides) refuse(e, around, "expected a number to divide by");
    return scaled(b, a.number);
  }
  const std::optional<Shape> both = broadcast(shape(a), shape(b));
  if (!both) {
    refuse(
        e, around,
        "expected shapes that go together, got " + to_text(shape(a)) + " and " + to_text(shape(b)),
        "outer(a, b) makes [n, D] of [n] and [D]");
  }
  return {builder_.emit(divides ? Op::kDivide : Op::kMultiply, {a.reg, b.reg}, *both), 0};
}

Value ExpressionCompiler::power(const Expression& e, const Around& around) {
  const Value a = evaluate(e.operands[0], around), b = evaluate(e.operands[1], around);
  if (a.is_tensor() || b.is_tensor()) refuse(e, around, "expected numbers around ^");
  return {-1, std::pow(a.number, b.number)};
}

Value ExpressionCompiler::element(const Expression& e, const Around& around) {
  const Value a = evaluate(e.operands[0], around);
  if (!a.is_tensor() || shape(a).size() < 2) {
    refuse(e, around, "expected several streams, of shape [n, D], before [");
  }
  const int size = shape(a).front(), index = static_cast<int>(e.number);
  if (index >= size) {
    refuse(e, around,
           "expected an index below " + std::to_string(size) + ", got " + std::to_string(index));
  }
  Shape result(shape(a).begin() + 1, shape(a).end());
  if (e.kind == Kind::kIndex) return {builder_.emit(Op::kIndex, {a.reg}, result, index), 0};
  result.insert(result.begin(), size - index);
  return {builder_.emit(Op::kSliceFrom, {a.reg}, result, index), 0};
}

Value ExpressionCompiler::matrix_product(const Expression& e, const Around& around) {
  const Value a = evaluate(e.operands[0], around), b = evaluate(e.operands[1], around);
  if (!a.is_tensor() || !b.is_tensor()) refuse(e, around, "expected tensors around @");
  const std::optional<Shape> result = equation::matrix_product(shape(a), shape(b));
  if (!result) {
    refuse(
        e, around,
        "expected shapes that @ goes with, got " + to_text(shape(a)) + " and " + to_text(shape(b)));
  }
  return {builder_.emit(Op::kMatrixProduct, {a.reg, b.reg}, *result), 0};
}

Value ExpressionCompiler::scaled(Value value, double factor) {
  if (!value.is_tensor()) return {-1, value.number * factor};
  return {builder_.emit(Op::kScale, {value.reg}, shape(value), -1, factor), 0};
}

int ExpressionCompiler::only_tensor(const Expression& e, const Around& around) {
  if (e.operands.size() != 1) refuse(e, around, "expected one value in " + e.name + "(...)");
  const Value value = evaluate(e.operands[0], around);
  if (!value.is_tensor()) {
    refuse(e.operands[0], around, "expected a tensor in " + e.name + "(...), got a number");
  }
  return value.reg;
}

}  // namespace layerlab::equation
