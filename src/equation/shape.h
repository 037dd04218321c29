// Shapes of values, per token.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace layerlab::equation {

// [] a number, [D] a token's vector, [n, D] several streams. A value at run time has [R, B, T] in
// front, a parameter [R, 1, 1].
using Shape = std::vector<int>;

// "[4, 32]", or "a number".
std::string to_text(const Shape& shape);

// The shape of an element-wise sum or product: the longer one, where the shorter one equals its
// end. Nothing where they do not go together.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

// The shape of a @ b: [m, k] @ [k, n] is [m, n]; [k] counts as a row on the left and as a column on
// the right, and that dimension is dropped again.
std::optional<Shape> matrix_product(const Shape& a, const Shape& b);

}  // namespace layerlab::equation
