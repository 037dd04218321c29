#include "theory/operations.h"

#include <cmath>
#include <functional>

#include "theory/constants.h"
#include "theory/norm.h"

namespace layerlab::theory {
namespace {

using equation::Instruction;
using equation::Op;
using Constants = std::vector<Constant>;

template <typename Function>
Constant of_both(const Instruction&, const Constants& operands) {
  return each(operands[0], operands[1], Function());
}

template <double (*function)(double)>
Constant of_each(const Instruction&, const Constants& operands) {
  return each(operands[0], function);
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double hyperbolic_tangent(double x) { return std::tanh(x); }
double magnitude(double x) { return std::abs(x); }

const Signal& signal(const Operands& operands) { return std::get<Signal>(operands.values[0]); }
int streams(const Operands& operands) { return static_cast<int>(signal(operands).streams.size()); }

// Each stream times a function of its mean square.
Answer each_stream(const Operands& operands, const std::function<double(double)>& factor) {
  const auto of_stream = [&](int i) {
    return factor(moments(signal(operands).streams[i], operands.atoms).square);
  };
  return Linearity{{diagonal(streams(operands), of_stream)}, signal(operands).several};
}

// A norm divides by a number, since a token's norm hardly differs from its mean.
Answer norm(const Operands& operands) {
  const equation::Norm& norm = operands.program.norms[operands.instruction.index];
  if (is_pointwise(norm)) return tanh_curve(0.5);  // DyT's g at first
  return each_stream(operands, [&](double square) {
    return norm_factor(norm, operands.model, operands.model.width, square);
  });
}

}  // namespace

MeanField mean_field(Op op) {
  switch (op) {
    case Op::kAdd:
      return {of_both<std::plus<>>,
              [](const Operands& o) { return sum(o.values[0], o.values[1]); }};
    case Op::kMultiply:
      return {of_both<std::multiplies<>>,
              [](const Operands& o) { return product(o.values[0], o.values[1], false); }};
    case Op::kDivide:
      return {of_both<std::divides<>>,
              [](const Operands& o) { return product(o.values[0], o.values[1], true); }};
    case Op::kScale:
      return {[](const Instruction& i, const Constants& in) {
                return each(in[0], [&](double x) { return i.number * x; });
              },
              [](const Operands& o) {
                return each_stream(o, [&](double) { return o.instruction.number; });
              }};
    case Op::kShift:
      return {[](const Instruction& i, const Constants& in) {
                return each(in[0], [&](double x) { return i.number + x; });
              },
              nullptr, "a number is added to tokens"};
    case Op::kNorm:
      return {nullptr, norm, "a norm of a learned tensor"};
    case Op::kGru:
      return {nullptr, nullptr, "a GRU gates by what tokens hold"};
    case Op::kMatrixProduct:
      return {[](const Instruction&, const Constants& in) { return matrix_product(in[0], in[1]); },
              [](const Operands& o) {
                return matrix_product(o.values[0], o.values[1], o.model.width);
              }};
    case Op::kTranspose:
      return {[](const Instruction&, const Constants& in) { return transpose(in[0]); }, nullptr,
              "a value of tokens is transposed"};
    case Op::kIndex:
      return {[](const Instruction& i, const Constants& in) {
                return rows(in[0], i.index, i.index + 1, false);
              },
              [](const Operands& o) -> Answer {
                const int index = o.instruction.index;
                return Linearity{{selection(index, index + 1, streams(o))}, false};
              }};
    case Op::kSliceFrom:
      return {[](const Instruction& i, const Constants& in) {
                return rows(in[0], i.index, in[0].shape[0], true);
              },
              [](const Operands& o) -> Answer {
                return Linearity{{selection(o.instruction.index, streams(o), streams(o))}, true};
              }};
    case Op::kRepeat:
      return {[](const Instruction& i, const Constants& in) { return repeat(in[0], i.index); },
              [](const Operands& o) -> Answer {
                return Linearity{{StreamMap(o.instruction.index, {1.0})}, true};
              }};
    case Op::kSum:
      return {[](const Instruction&, const Constants& in) { return sum_of_rows(in[0]); },
              [](const Operands& o) -> Answer {
                return Linearity{{StreamMap(1, std::vector<double>(streams(o), 1.0))}, false};
              }};
    case Op::kOuter:
      return {[](const Instruction&, const Constants& in) { return outer(in[0], in[1]); },
              [](const Operands& o) { return outer(o.values[0], o.values[1]); }};
    case Op::kSigmoid:
      return {of_each<sigmoid>, nullptr, "a sigmoid of a value of tokens is not centred"};
    case Op::kTanh:
      return {of_each<hyperbolic_tangent>, [](const Operands&) -> Answer { return tanh_curve(1); }};
    case Op::kAbs:
      return {of_each<magnitude>, nullptr, "the abs of a value of tokens is not centred"};
    case Op::kUnit:
      return {nullptr,
              [](const Operands& o) {
                return each_stream(o, [&](double square) {
                  return square > 0 ? 1 / std::sqrt(square * o.model.width) : 0;
                });
              },
              "a norm of a learned tensor"};
    case Op::kStopGradient:
      return {
          [](const Instruction&, const Constants& in) { return in[0]; },
          [](const Operands& o) -> Answer {
            return Linearity{{identity(streams(o))}, signal(o).several, /*passes_gradient=*/false};
          }};
    case Op::kBranch:
    case Op::kParameter:
      break;
  }
  return {};
}

}  // namespace layerlab::theory
