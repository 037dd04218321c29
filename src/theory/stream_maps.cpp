#include "theory/stream_maps.h"

#include <algorithm>

#include "theory/constants.h"

namespace layerlab::theory {
namespace {

int count(const Signal& signal) { return static_cast<int>(signal.streams.size()); }

StreamMap zeros(int rows, int columns) { return StreamMap(rows, std::vector<double>(columns)); }

// One stream to each of `rows`, or each to itself.
StreamMap spread_over(int rows, const Signal& signal) {
  return signal.several ? identity(count(signal)) : StreamMap(rows, {1.0});
}

}  // namespace

StreamMap diagonal(int size, const std::function<double(int)>& factor) {
  StreamMap map = zeros(size, size);
  for (int i = 0; i < size; ++i) map[i][i] = factor(i);
  return map;
}

StreamMap identity(int streams) {
  return diagonal(streams, [](int) { return 1.0; });
}

StreamMap selection(int first, int last, int streams) {
  StreamMap map = zeros(last - first, streams);
  for (int i = first; i < last; ++i) map[i - first][i] = 1;
  return map;
}

Answer sum(const Value& left, const Value& right) {
  const auto* a = std::get_if<Signal>(&left);
  const auto* b = std::get_if<Signal>(&right);
  if (a && b) {
    const int rows = std::max(count(*a), count(*b));
    return Linearity{{spread_over(rows, *a), spread_over(rows, *b)}, a->several || b->several};
  }
  const auto& constant = std::get<Constant>(a ? right : left);
  if (!is_zero(constant)) return Unknown{"a learned tensor that is not 0 is added to tokens"};
  const Signal& signal = a ? *a : *b;
  const int rows = constant.shape.size() == 2 ? constant.shape[0] : count(signal);
  Linearity result{{StreamMap(), StreamMap()}, signal.several || constant.shape.size() == 2};
  result.maps[a ? 0 : 1] = spread_over(rows, signal);
  return result;
}

Answer product(const Value& left, const Value& right, bool divide) {
  const auto* a = std::get_if<Signal>(&left);
  const auto* b = std::get_if<Signal>(&right);
  if (a && b) return Unknown{"a value of tokens gates another"};
  if (divide && b) return Unknown{"something is divided by a value of tokens"};
  const auto& constant = std::get<Constant>(a ? right : left);
  const Signal& signal = a ? *a : *b;
  const bool widens = constant.shape.size() == 2 && !signal.several;
  const int rows = widens ? constant.shape[0] : count(signal);
  StreamMap map = spread_over(rows, signal);
  for (int i = 0; i < rows; ++i) {
    const std::optional<double> factor = stream_factor(constant, i);
    if (!factor) return Unknown{"the factors of a learned tensor differ by feature"};
    for (double& weight : map[i]) weight *= divide ? 1 / *factor : *factor;
  }
  Linearity result{{StreamMap(), StreamMap()}, signal.several || widens};
  result.maps[a ? 0 : 1] = std::move(map);
  return result;
}

Answer matrix_product(const Value& left, const Value& right, int width) {
  // A matrix of zeros makes a constant of every token's value: connections that do not depend on
  // the token at first.
  const auto* matrix = std::get_if<Constant>(&right);
  if (matrix && is_zero(*matrix)) {
    const auto& tokens = std::get<Signal>(left);
    equation::Shape shape = {width};
    if (tokens.several) shape.insert(shape.begin(), count(tokens));
    return zeros(*equation::matrix_product(shape, matrix->shape));
  }
  const auto* constant = std::get_if<Constant>(&left);
  const auto* signal = std::get_if<Signal>(&right);
  if (!constant || !signal || !signal->several) {
    return Unknown{"a matrix product mixes the features of tokens"};
  }
  const int columns = count(*signal);
  const int rows = static_cast<int>(constant->numbers.size()) / columns;
  StreamMap map = zeros(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) map[i][j] = constant->numbers[i * columns + j];
  }
  return Linearity{{StreamMap(), std::move(map)}, constant->shape.size() == 2};
}

Answer outer(const Value& left, const Value& right) {
  const auto* weights = std::get_if<Constant>(&left);
  if (!weights) return Unknown{"what a stream is written with depends on the token"};
  StreamMap map;
  for (const double weight : weights->numbers) map.push_back({weight});
  if (!std::holds_alternative<Signal>(right)) return Unknown{"a learned tensor joins the streams"};
  return Linearity{{StreamMap(), std::move(map)}, true};
}

void add_mapped(const StreamMap& map, const Signal& operand, Signal& result) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    for (std::size_t j = 0; j < map[i].size(); ++j) {
      if (map[i][j] != 0) result.streams[i] += map[i][j] * operand.streams[j];
    }
  }
}

void add_transposed(const StreamMap& map, const Signal& gradient, Signal& result) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    for (std::size_t j = 0; j < map[i].size(); ++j) {
      if (map[i][j] != 0) result.streams[j] += map[i][j] * gradient.streams[i];
    }
  }
}

}  // namespace layerlab::theory
