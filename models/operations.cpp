#include "models/operations.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "models/align.h"
#include "models/elementwise.h"

namespace layerlab::models {
namespace {

using equation::Op;

bool is_shared(const at::Tensor& value) { return value.size(1) == 1 && value.size(2) == 1; }

// a [R, B, T, m, k] @ b [R, 1, 1, k, n]: one product a replica, whose rows are all tokens'. A
// single column is multiplied and summed instead: for one replica torch would call another routine
// (gemv), and a replica's bits would depend on its company.
at::Tensor times_shared(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor rows = a.flatten(1, 3), columns = b.flatten(0, 2);
  const at::Tensor product = columns.size(-1) == 1
                                 ? (rows * columns.transpose(1, 2)).sum(-1, /*keepdim=*/true)
                                 : at::bmm(rows, columns);
  return product.unflatten(1, a.sizes().slice(1, 3));
}

}  // namespace

at::Tensor matrix_product(const at::Tensor& a, const at::Tensor& b) {
  const bool row = a.dim() == kFront + 1, column = b.dim() == kFront + 1;
  const at::Tensor left = row ? a.unsqueeze(kFront) : a, right = column ? b.unsqueeze(-1) : b;
  at::Tensor product;
  if (is_shared(right)) {
    product = times_shared(left, right);
  } else if (is_shared(left)) {
    product = times_shared(right.transpose(3, 4), left.transpose(3, 4)).transpose(3, 4);
  } else {
    product = at::bmm(left.flatten(0, 2), right.flatten(0, 2)).unflatten(0, a.sizes().slice(0, 3));
  }
  if (column) product = product.squeeze(-1);
  return row ? product.squeeze(kFront) : product;
}

at::Tensor compute(const equation::Instruction& instruction,
                   const std::vector<at::Tensor>& operands) {
  const at::Tensor& a = operands.front();
  std::int64_t dimensions = 0;
  for (const at::Tensor& operand : operands) dimensions = std::max(dimensions, operand.dim());
  const auto operand = [&](int i) { return aligned(operands[i], dimensions); };

  switch (instruction.op) {
    case Op::kAdd:
      return operand(0) + operand(1);
    case Op::kMultiply:
      return operand(0) * operand(1);
    case Op::kDivide:
      return operand(0) / operand(1);
    case Op::kScale:
      return instruction.number * a;
    case Op::kShift:
      return instruction.number + a;
    case Op::kMatrixProduct:
      return matrix_product(a, operands[1]);
    case Op::kTranspose:
      return a.transpose(-1, -2);
    case Op::kIndex:
      return a.select(kFront, instruction.index);
    case Op::kSliceFrom:
      return a.slice(kFront, instruction.index);
    case Op::kRepeat: {
      std::vector<std::int64_t> sizes(a.sizes().begin(), a.sizes().end());
      sizes.insert(sizes.begin() + kFront, instruction.index);
      return a.unsqueeze(kFront).expand(sizes);
    }
    case Op::kSum:
      return a.sum(kFront);
    case Op::kOuter:
      return a.unsqueeze(-1) * operands[1].unsqueeze(kFront);
    case Op::kSigmoid:
      return elementwise(a, &at::sigmoid);
    case Op::kTanh:
      return elementwise(a, &at::tanh);
    case Op::kAbs:
      return a.abs();
    case Op::kUnit:
      return normalised(a);
    case Op::kStopGradient:
      return a.detach();
    case Op::kNorm:
    case Op::kBranch:
    case Op::kGru:
    case Op::kParameter:
      break;
  }
  assert(false && "an instruction with a module");
  return {};
}

}  // namespace layerlab::models
