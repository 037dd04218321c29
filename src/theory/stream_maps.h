// Operations that are linear in the streams they read, as matrices over streams.
#pragma once

#include <functional>
#include <variant>
#include <vector>

#include "theory/gaussian.h"
#include "theory/value.h"

namespace layerlab::theory {

// Stream i of the result is the sum over j of weights[i][j] times stream j of an operand.
using StreamMap = std::vector<std::vector<double>>;

StreamMap diagonal(int streams, const std::function<double(int)>& factor);
StreamMap identity(int streams);
// Streams first .. last - 1 of `streams`.
StreamMap selection(int first, int last, int streams);

// An operation as a map of each operand; constants have an empty map. The gradient takes the
// transposed maps.
struct Linearity {
  std::vector<StreamMap> maps;  // as the instruction's operands
  bool several = false;         // the result is [n, D]
  bool passes_gradient = true;
};

// Linear in the signals; a curve on each number by itself; the same for every token.
using Answer = std::variant<Unknown, Linearity, Curve, Constant>;

// Operations on two operands, at least one of them a signal.
Answer sum(const Value& a, const Value& b);
Answer product(const Value& a, const Value& b, bool divide);
Answer matrix_product(const Value& a, const Value& b, int width);
Answer outer(const Value& a, const Value& b);

// result += map operand, and result += map^T gradient.
void add_mapped(const StreamMap& map, const Signal& operand, Signal& result);
void add_transposed(const StreamMap& map, const Signal& gradient, Signal& result);

}  // namespace layerlab::theory
