#include "equation/operations.h"

#include <fmt/format.h>

#include <algorithm>

#include "equation/program_text.h"

namespace layerlab::equation {
namespace shape_rules {

std::optional<Shape> same(const std::vector<Shape>& operands, int) { return operands[0]; }

std::optional<Shape> together(const std::vector<Shape>& operands, int) {
  return broadcast(operands[0], operands[1]);
}

std::optional<Shape> product(const std::vector<Shape>& operands, int) {
  return matrix_product(operands[0], operands[1]);
}

std::optional<Shape> transpose(const std::vector<Shape>& operands, int) {
  const Shape& a = operands[0];
  return a.size() == 2 ? std::optional(Shape{a[1], a[0]}) : std::nullopt;
}

std::optional<Shape> index(const std::vector<Shape>& operands, int index) {
  const Shape& a = operands[0];
  if (a.size() < 2 || index >= a[0]) return std::nullopt;
  return Shape(a.begin() + 1, a.end());
}

std::optional<Shape> slice_from(const std::vector<Shape>& operands, int index) {
  Shape a = operands[0];
  if (a.size() < 2 || index >= a[0]) return std::nullopt;
  a[0] -= index;
  return a;
}

std::optional<Shape> repeat(const std::vector<Shape>& operands, int copies) {
  Shape a = operands[0];
  a.insert(a.begin(), copies);
  return a;
}

std::optional<Shape> sum(const std::vector<Shape>& operands, int) {
  const Shape& a = operands[0];
  return a.size() == 2 ? std::optional(Shape{a[1]}) : std::nullopt;
}

std::optional<Shape> outer(const std::vector<Shape>& operands, int) {
  const Shape &a = operands[0], &b = operands[1];
  return a.size() == 1 && b.size() == 1 ? std::optional(Shape{a[0], b[0]}) : std::nullopt;
}

std::optional<Shape> vector(const std::vector<Shape>& operands, int) {
  return operands[0].empty() ? std::nullopt : std::optional(operands[0]);
}

}  // namespace shape_rules

const Operation* find_operation(std::string_view name) {
  const auto found = std::ranges::find(kOperations, name, &Operation::name);
  return name.empty() || found == kOperations.end() ? nullptr : &*found;
}

std::string to_text(const Instruction& instruction, const std::vector<std::string>& operands) {
  const Operation& row = operation(instruction.op);
  if (row.text.empty()) {
    const std::string index =
        row.operands.ends_with(" n") ? ", " + std::to_string(instruction.index) : "";
    return fmt::format("{}({}{})", row.name, fmt::join(operands, ", "), index);
  }
  return fmt::format(
      fmt::runtime(row.text), fmt::arg("a", operands.front()), fmt::arg("b", operands.back()),
      fmt::arg("number", number_text(instruction.number)), fmt::arg("index", instruction.index));
}

}  // namespace layerlab::equation
