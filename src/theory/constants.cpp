#include "theory/constants.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

namespace layerlab::theory {

using equation::Shape;

Constant each(const Constant& a, const Constant& b,
              const std::function<double(double, double)>& function) {
  const Constant& longer = a.numbers.size() >= b.numbers.size() ? a : b;
  Constant result{longer.shape, std::vector<double>(longer.numbers.size())};
  for (std::size_t i = 0; i < result.numbers.size(); ++i) {
    result.numbers[i] = function(a.numbers[i % a.numbers.size()], b.numbers[i % b.numbers.size()]);
  }
  return result;
}

Constant each(const Constant& a, const std::function<double(double)>& function) {
  Constant result = a;
  for (double& number : result.numbers) number = function(number);
  return result;
}

Constant matrix_product(const Constant& a, const Constant& b) {
  const std::size_t inner = a.shape.back();
  const std::size_t rows = a.numbers.size() / inner, columns = b.numbers.size() / inner;
  Constant result = zeros(*equation::matrix_product(a.shape, b.shape));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < inner; ++k) {
      for (std::size_t j = 0; j < columns; ++j) {
        result.numbers[i * columns + j] += a.numbers[i * inner + k] * b.numbers[k * columns + j];
      }
    }
  }
  return result;
}

Constant transpose(const Constant& a) {
  assert(a.shape.size() == 2);
  const int rows = a.shape[0], columns = a.shape[1];
  Constant result{{columns, rows}, std::vector<double>(a.numbers.size())};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) result.numbers[j * rows + i] = a.numbers[i * columns + j];
  }
  return result;
}

Constant rows(const Constant& a, int first, int last, bool keep) {
  const std::size_t row = a.numbers.size() / a.shape[0];
  Constant result{Shape(a.shape.begin() + (keep ? 0 : 1), a.shape.end()), {}};
  if (keep) result.shape[0] = last - first;
  result.numbers.assign(a.numbers.begin() + static_cast<std::ptrdiff_t>(first * row),
                        a.numbers.begin() + static_cast<std::ptrdiff_t>(last * row));
  return result;
}

Constant repeat(const Constant& a, int copies) {
  Constant result{a.shape, {}};
  result.shape.insert(result.shape.begin(), copies);
  for (int i = 0; i < copies; ++i) {
    result.numbers.insert(result.numbers.end(), a.numbers.begin(), a.numbers.end());
  }
  return result;
}

Constant sum_of_rows(const Constant& a) {
  Constant result = rows(a, 0, 1, false);
  for (int i = 1; i < a.shape[0]; ++i) {
    result = each(result, rows(a, i, i + 1, false), std::plus<>());
  }
  return result;
}

Constant outer(const Constant& a, const Constant& b) {
  Constant result{{static_cast<int>(a.numbers.size()), static_cast<int>(b.numbers.size())}, {}};
  for (const double left : a.numbers) {
    for (const double right : b.numbers) result.numbers.push_back(left * right);
  }
  return result;
}

std::optional<double> stream_factor(const Constant& factor, int stream) {
  const bool by_stream = factor.shape.size() == 2 && factor.shape[0] > 1;
  const Constant row = by_stream ? rows(factor, stream, stream + 1, false) : factor;
  const auto differs = [&row](double number) { return number != row.numbers.front(); };
  if (std::ranges::any_of(row.numbers, differs)) return std::nullopt;
  return row.numbers.front();
}

Constant zeros(Shape shape) {
  std::size_t size = 1;
  for (const int dimension : shape) size *= dimension;
  return {std::move(shape), std::vector<double>(size)};
}

bool is_zero(const Constant& constant) {
  return std::ranges::all_of(constant.numbers, [](double number) { return number == 0; });
}

double mean_square(const Constant& constant) {
  double sum = 0;
  for (const double number : constant.numbers) sum += number * number;
  return sum / static_cast<double>(constant.numbers.size());
}

}  // namespace layerlab::theory
