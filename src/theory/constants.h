// Arithmetic of values that all tokens share.
#pragma once

#include <functional>
#include <optional>

#include "theory/value.h"

namespace layerlab::theory {

// Element by element. The shorter operand repeats along the longer one's first dimensions.
Constant each(const Constant& a, const std::function<double(double)>& function);
Constant each(const Constant& a, const Constant& b,
              const std::function<double(double, double)>& function);

Constant matrix_product(const Constant& a, const Constant& b);
Constant transpose(const Constant& a);
// Rows first .. last - 1 of the first dimension, which stays only where `keep` says so.
Constant rows(const Constant& a, int first, int last, bool keep);
Constant repeat(const Constant& a, int copies);
Constant sum_of_rows(const Constant& a);
Constant outer(const Constant& a, const Constant& b);

// The one number that all elements of stream `stream` are multiplied by when a value [n, D], or
// [D], is multiplied by `factor`; nothing where features differ.
std::optional<double> stream_factor(const Constant& factor, int stream);

// All zeros.
Constant zeros(equation::Shape shape);

bool is_zero(const Constant& constant);

double mean_square(const Constant& constant);

}  // namespace layerlab::theory
