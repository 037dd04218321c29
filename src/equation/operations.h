// The operations of the language, one row each: how an equation calls them, what they make of
// shapes, how they print. What else an operation needs is how it is computed
// (models/operations.cpp) and what mean-field theory makes of it (theory/operations.cpp).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equation/program.h"
#include "equation/shape.h"

namespace layerlab::equation {

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
};

namespace shape_rules {

std::optional<Shape> same(const std::vector<Shape>& operands, int);
std::optional<Shape> together(const std::vector<Shape>& operands, int);  // broadcast()
std::optional<Shape> product(const std::vector<Shape>& operands, int);   // matrix_product()
std::optional<Shape> transpose(const std::vector<Shape>& operands, int);
std::optional<Shape> index(const std::vector<Shape>& operands, int index);
std::optional<Shape> slice_from(const std::vector<Shape>& operands, int index);
std::optional<Shape> repeat(const std::vector<Shape>& operands, int copies);
std::optional<Shape> sum(const std::vector<Shape>& operands, int);
std::optional<Shape> outer(const std::vector<Shape>& operands, int);
std::optional<Shape> vector(const std::vector<Shape>& operands, int);  // same, but no number

}  // namespace shape_rules

inline constexpr std::array<Operation, static_cast<std::size_t>(Op::kStopGradient) + 1>
    kOperations = {{
        {Op::kAdd, "", "", shape_rules::together, "shapes that go together", "{a} + {b}"},
        {Op::kMultiply, "", "", shape_rules::together, "shapes that go together", "{a} * {b}"},
        {Op::kDivide, "", "", shape_rules::together, "shapes that go together", "{a} / {b}"},
        {Op::kScale, "", "", shape_rules::same, "", "{number} * {a}"},
        {Op::kShift, "", "", shape_rules::same, "", "{a} + {number}"},
        {Op::kNorm, "", "", nullptr, "", ""},
        {Op::kBranch, "", "", nullptr, "", ""},
        {Op::kGru, "GRU", "input, state", nullptr, "", ""},
        {Op::kParameter, "", "", nullptr, "", ""},
        {Op::kMatrixProduct, "", "", shape_rules::product, "shapes that @ goes with", "{a} @ {b}"},
        {Op::kTranspose, "T", "a", shape_rules::transpose, "a matrix", ""},
        {Op::kIndex, "", "", shape_rules::index, "", "{a}[{index}]"},
        {Op::kSliceFrom, "", "", shape_rules::slice_from, "", "{a}[{index}:]"},
        {Op::kRepeat, "repeat", "value, n", shape_rules::repeat, "", ""},
        {Op::kSum, "sum", "a", shape_rules::sum, "several streams, [n, D],", ""},
        {Op::kOuter, "outer", "a, b", shape_rules::outer, "two vectors", ""},
        {Op::kSigmoid, "sigmoid", "a", shape_rules::same, "", ""},
        {Op::kTanh, "tanh", "a", shape_rules::same, "", ""},
        {Op::kAbs, "abs", "a", shape_rules::same, "", ""},
        {Op::kUnit, "unit", "a", shape_rules::vector, "a vector", ""},
        {Op::kStopGradient, "stopgrad", "a", shape_rules::same, "", ""},  // the last of Op
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

// The instruction as an equation writes it, where its operands are called `operands`. REQUIRES: not
// kNorm, kBranch or kParameter.
std::string to_text(const Instruction& instruction, const std::vector<std::string>& operands);

}  // namespace layerlab::equation
