#include "equation/expression.h"

#include <algorithm>
#include <cmath>

#include "core/names.h"
#include "equation/functions.h"

namespace layerlab::equation {

using Kind = Expression::Kind;

Value ExpressionCompiler::compile(const Expression& expression, const Context& context) {
  return evaluate(expression, {context, "", false});
}

bool ExpressionCompiler::is_number(const Expression& e, const Around& around) const {
  switch (e.kind) {
    case Kind::kName:
      return scalars_.knows(e.name) && !names_.values.contains(e.name) &&
             find_parameter(e.name, around) == nullptr;
    case Kind::kCall:
      if (!is_scalar_function(e.name)) return false;
      break;
    case Kind::kMatrixProduct:
    case Kind::kIndex:
    case Kind::kSliceFrom:
      return false;
    case Kind::kNumber:
    case Kind::kSum:
    case Kind::kDifference:
    case Kind::kProduct:
    case Kind::kQuotient:
    case Kind::kPower:
    case Kind::kMinus:
      break;
  }
  return std::ranges::all_of(e.operands, [&](const auto& part) { return is_number(part, around); });
}

Value ExpressionCompiler::evaluate(const Expression& e, const Around& around) {
  if (!is_number(e, around)) return evaluate_tensor(e, around);
  const double number = scalars_.evaluate_part(*around.context.source, e);
  if (!std::isfinite(number)) {
    refuse(e, around, "expected a finite number, got " + std::to_string(number));
  }
  return {-1, number};
}

Value ExpressionCompiler::evaluate_tensor(const Expression& e, const Around& around) {
  switch (e.kind) {
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
      for (const Expression& operand : e.operands) evaluate(operand, around.plain());
      refuse(e, around, "expected numbers around ^");
    case Kind::kIndex:
    case Kind::kSliceFrom:
      return element(e, around.plain());
    case Kind::kNumber:
      break;
  }
  return {-1, e.number};
}

const ParameterEntry* ExpressionCompiler::find_parameter(const std::string& name,
                                                         const Around& around) {
  const std::vector<ParameterEntry>& entries = around.context.block->parameters;
  const auto entry = std::ranges::find(entries, name, &ParameterEntry::name);
  return entry == entries.end() ? nullptr : &*entry;
}

Value ExpressionCompiler::named(const Expression& e, const Around& around) {
  if (const auto found = names_.values.find(e.name); found != names_.values.end()) {
    names_.unread.erase(e.name);
    names_.read.insert(e.name);
    return {found->second, 0};
  }
  if (const auto* entry = find_parameter(e.name, around)) return parameter(*entry, e, around);

  if (is_function(e.name)) {
    refuse(e, around, "expected brackets after " + e.name, "write " + e.name + "(...)");
  }
  std::vector<std::string> known = scalars_.names();
  for (const auto& [name, reg] : names_.values) known.push_back(name);
  for (const auto& entry : around.context.block->parameters) known.push_back(entry.name);
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
  // A shared tensor has one initial value, which cannot depend on the place.
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

  Value result;
  if (a.is_tensor() && b.is_tensor()) {
    joined_.merge(builder_.flow.meeting(a.reg, b.reg));
    result = operation(Op::kAdd, {a.reg, b.reg}, e, around);
  } else {
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
  return operation(divides ? Op::kDivide : Op::kMultiply, {a.reg, b.reg}, e, around, -1,
                   "outer(a, b) makes [n, D] of [n] and [D]");
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
  return operation(e.kind == Kind::kIndex ? Op::kIndex : Op::kSliceFrom, {a.reg}, e, around, index);
}

Value ExpressionCompiler::matrix_product(const Expression& e, const Around& around) {
  const Value a = evaluate(e.operands[0], around), b = evaluate(e.operands[1], around);
  if (!a.is_tensor() || !b.is_tensor()) refuse(e, around, "expected tensors around @");
  return operation(Op::kMatrixProduct, {a.reg, b.reg}, e, around);
}

Value ExpressionCompiler::scaled(Value value, double factor) {
  if (!value.is_tensor()) return {-1, value.number * factor};
  return {builder_.emit(Op::kScale, {value.reg}, shape(value), -1, factor), 0};
}

Value ExpressionCompiler::operation(Op op, const std::vector<int>& in, const Expression& e,
                                    const Around& around, int index, const std::string& remedy) {
  const Operation& row = equation::operation(op);
  std::vector<Shape> shapes;
  for (const int reg : in) shapes.push_back(builder_.shape(reg));
  const std::optional<Shape> result = row.shape(shapes, index);
  if (!result) refuse_operands(row, e, around, shapes, remedy);
  return {builder_.emit(op, in, *result, index), 0};
}

void ExpressionCompiler::refuse_operands(const Operation& row, const Expression& e,
                                         const Around& around, const std::vector<Shape>& shapes,
                                         const std::string& remedy) const {
  std::string expected = "expected " + std::string(row.expects);
  if (!row.name.empty()) {
    expected += " in " + std::string(row.name) + "(...)";
  } else if (shapes.size() == 2) {
    expected += ", got " + to_text(shapes[0]) + " and " + to_text(shapes[1]);
  }
  refuse(e, around, expected, remedy);
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
