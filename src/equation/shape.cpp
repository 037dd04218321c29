#include "equation/shape.h"

#include <algorithm>

namespace layerlab::equation {

std::string to_text(const Shape& shape) {
  if (shape.empty()) return "a number";
  std::string text = "[";
  for (const int size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  if (!std::equal(shorter.rbegin(), shorter.rend(), longer.rbegin())) return std::nullopt;
  return longer;
}

std::optional<Shape> matrix_product(const Shape& a, const Shape& b) {
  if (a.empty() || b.empty() || a.size() > 2 || b.size() > 2) return std::nullopt;
  if (a.back() != b.front()) return std::nullopt;
  Shape result;
  if (a.size() == 2) result.push_back(a.front());
  if (b.size() == 2) result.push_back(b.back());
  return result;
}

}  // namespace layerlab::equation
