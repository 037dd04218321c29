#include "equation/operations.h"

#include <fmt/format.h>

#include <algorithm>

#include "equation/program_text.h"

namespace layerlab::equation {

const Operation* find_operation(std::string_view name) {
  const auto found = std::ranges::find(kOperations, name, &Operation::name);
  return name.empty() || found == kOperations.end() ? nullptr : &*found;
}

std::string to_text(Op op, const std::vector<std::string>& operands, int index, double number) {
  const Operation& row = operation(op);
  if (row.text.empty()) {
    const std::string counted = row.counts() ? fmt::format(", {}", index) : "";
    return fmt::format("{}({}{})", row.name, fmt::join(operands, ", "), counted);
  }
  return fmt::format(fmt::runtime(row.text), fmt::arg("a", operands.front()),
                     fmt::arg("b", operands.back()), fmt::arg("number", number_text(number)),
                     fmt::arg("index", index));
}

}  // namespace layerlab::equation
