// The operations of the language, one row each: how equations call them, the shape of the result,
// how they print. An operation also needs an evaluator (models/operations.cpp) and a mean field
// (theory/operations.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equation/shape.h"

namespace layerlab::equation {

// `a` and `b` are the registers read, in this order.
enum class Op {
  kAdd,            // a + b
  kMultiply,       // a * b
  kDivide,         // a / b
  kScale,          // number * a
  kShift,          // number + a
  kNorm,           // norms[index](a)
  kBranch,         // branches[index](a, learned factors …)
  kGru,            // grus[index](input, state)
  kParameter,      // parameters[index]
  kMatrixProduct,  // a @ b over the last dimensions
  kTranspose,      // of the last two dimensions
  kIndex,          // a[index] of the first dimension
  kSliceFrom,      // a[index:] of the first dimension
  kRepeat,         // index copies along a new first dimension
  kSum,            // over the first dimension
  kOuter,          // a [n] and b [D] to [n, D]
  kSigmoid,
  kTanh,
  kAbs,
  kUnit,          // a / |a| over the last dimension
  kStopGradient,  // the last, by which the table is sized
};

// The shape of the result, or nothing where the operands do not fit. `index` is the instruction's.
using ShapeRule = std::optional<Shape> (*)(const std::vector<Shape>& operands, int index);

struct Operation {
  Op op{};
  std::string_view name;  // of a call: "outer"; empty: written with an operator, or a module's
  // Operands of a call, "a, b". Where the last is n, it is a whole number from 1 to 1024, which
  // becomes the instruction's index.
  std::string_view operands;
  ShapeRule shape = nullptr;  // null: the compiler knows the module that computes it
  std::string_view expects;   // what has to stand among its operands, for messages
  // "{a} + {b}", of operands {a} and {b}, {number} and {index}; empty: it prints as a call, and
  // norms, branches and parameters print themselves.
  std::string_view text;

  constexpr bool counts() const { return operands.ends_with(" n"); }
};

namespace shape_rules {

using Result = std::optional<Shape>;
using Shapes = std::vector<Shape>;

inline constexpr ShapeRule kSame = [](const Shapes& in, int) -> Result { return in[0]; };
inline constexpr ShapeRule kTogether = [](const Shapes& in, int) {
  return broadcast(in[0], in[1]);
};
inline constexpr ShapeRule kProduct = [](const Shapes& in, int) {
  return matrix_product(in[0], in[1]);
};
inline constexpr ShapeRule kTranspose = [](const Shapes& in, int) {
  return in[0].size() == 2 ? Result(Shape{in[0][1], in[0][0]}) : std::nullopt;
};
inline constexpr ShapeRule kIndex = [](const Shapes& in, int index) {
  const bool fits = in[0].size() > 1 && index < in[0][0];
  return fits ? Result(Shape(in[0].begin() + 1, in[0].end())) : std::nullopt;
};
inline constexpr ShapeRule kSliceFrom = [](const Shapes& in, int index) {
  Shape shape = in[0];
  const bool fits = shape.size() > 1 && index < shape[0];
  if (fits) shape[0] -= index;
  return fits ? Result(shape) : std::nullopt;
};
inline constexpr ShapeRule kRepeat = [](const Shapes& in, int copies) -> Result {
  Shape shape = in[0];
  shape.insert(shape.begin(), copies);
  return shape;
};
inline constexpr ShapeRule kSum = [](const Shapes& in, int) {
  return in[0].size() == 2 ? Result(Shape{in[0][1]}) : std::nullopt;
};
inline constexpr ShapeRule kOuter = [](const Shapes& in, int) {
  const bool vectors = in[0].size() == 1 && in[1].size() == 1;
  return vectors ? Result(Shape{in[0][0], in[1][0]}) : std::nullopt;
};
inline constexpr ShapeRule kVector = [](const Shapes& in, int) {  // as it is, but no number
  return in[0].empty() ? std::nullopt : Result(in[0]);
};

}  // namespace shape_rules

inline constexpr std::array<Operation, static_cast<std::size_t>(Op::kStopGradient) + 1>
    kOperations = {{
        {Op::kAdd, "", "", shape_rules::kTogether, "shapes that go together", "{a} + {b}"},
        {Op::kMultiply, "", "", shape_rules::kTogether, "shapes that go together", "{a} * {b}"},
        {Op::kDivide, "", "", shape_rules::kTogether, "shapes that go together", "{a} / {b}"},
        {Op::kScale, "", "", shape_rules::kSame, "", "{number} * {a}"},
        {Op::kShift, "", "", shape_rules::kSame, "", "{a} + {number}"},
        {Op::kNorm, "", "", nullptr, "", ""},
        {Op::kBranch, "", "", nullptr, "", ""},
        {Op::kGru, "GRU", "input, state", nullptr, "", ""},
        {Op::kParameter, "", "", nullptr, "", ""},
        {Op::kMatrixProduct, "", "", shape_rules::kProduct, "shapes that @ goes with", "{a} @ {b}"},
        {Op::kTranspose, "T", "a", shape_rules::kTranspose, "a matrix", ""},
        {Op::kIndex, "", "", shape_rules::kIndex, "", "{a}[{index}]"},
        {Op::kSliceFrom, "", "", shape_rules::kSliceFrom, "", "{a}[{index}:]"},
        {Op::kRepeat, "repeat", "value, n", shape_rules::kRepeat, "", ""},
        {Op::kSum, "sum", "a", shape_rules::kSum, "several streams, [n, D],", ""},
        {Op::kOuter, "outer", "a, b", shape_rules::kOuter, "two vectors", ""},
        {Op::kSigmoid, "sigmoid", "a", shape_rules::kSame, "", ""},
        {Op::kTanh, "tanh", "a", shape_rules::kSame, "", ""},
        {Op::kAbs, "abs", "a", shape_rules::kSame, "", ""},
        {Op::kUnit, "unit", "a", shape_rules::kVector, "a vector", ""},
        {Op::kStopGradient, "stopgrad", "a", shape_rules::kSame, "", ""},
    }};

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    if (static_cast<std::size_t>(kOperations[i].op) != i) return false;
  }
  return true;
}
static_assert(rows_are_in_order(), "a row for each Op, in the order of the enumeration");

constexpr const Operation& operation(Op op) { return kOperations[static_cast<std::size_t>(op)]; }

// The operation that calls of `name` stand for, or null.
const Operation* find_operation(std::string_view name);

// The operation as an equation writes it, on operands that are called so, with the instruction's
// index and number. REQUIRES: not kNorm, kBranch or kParameter.
std::string to_text(Op op, const std::vector<std::string>& operands, int index, double number);

}  // namespace layerlab::equation
