#include "models/operations.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

using at::Tensor;
using equation::Op;

// Values [R, B, T, *S] and parameters [R, 1, 1, *S].
Tensor value(std::vector<std::int64_t> shape) {
  shape.insert(shape.begin(), {2, 3, 4});
  return at::randn(shape, at::kDouble);
}

Tensor parameter(std::vector<std::int64_t> shape) {
  shape.insert(shape.begin(), {2, 1, 1});
  return at::randn(shape, at::kDouble);
}

Tensor run(Op op, const std::vector<Tensor>& operands, int index = -1, double number = 0) {
  equation::Instruction instruction;
  instruction.op = op;
  instruction.index = index;
  instruction.number = number;
  return compute(instruction, operands);
}

TEST(Operations, AlignAShorterShapeWithTheEndOfALongerOne) {
  const Tensor streams = value({5, 6}), token = value({6}), scalar = parameter({});
  EXPECT_THAT(run(Op::kAdd, {streams, token}), BitEqual(streams + token.unsqueeze(3)));
  EXPECT_THAT(run(Op::kMultiply, {token, streams}), BitEqual(token.unsqueeze(3) * streams));
  EXPECT_THAT(run(Op::kDivide, {streams, scalar}),
              BitEqual(streams / scalar.view({2, 1, 1, 1, 1})));
}

TEST(Operations, TakeNumbersOfTheEquation) {
  const Tensor x = value({6});
  EXPECT_THAT(run(Op::kScale, {x}, -1, 2.5), BitEqual(x * 2.5));
  EXPECT_THAT(run(Op::kShift, {x}, -1, 2.5), BitEqual(x + 2.5));
}

TEST(Operations, MultiplyMatricesOfTokensAndParameters) {
  for (const auto& [a, b] :
       {std::pair(value({5, 6}), value({6, 7})), std::pair(value({5, 6}), parameter({6, 7})),
        std::pair(parameter({5, 6}), value({6, 7})),
        std::pair(parameter({5, 6}), parameter({6, 7}))}) {
    EXPECT_THAT(run(Op::kMatrixProduct, {a, b}), IsNear(at::matmul(a, b), 1e-14));
  }
}

TEST(Operations, TakeVectorsAsRowsOnTheLeftAndColumnsOnTheRight) {
  const Tensor matrix = value({5, 6}), left = parameter({5}), right = value({6});
  const Tensor row = (left.unsqueeze(-1) * matrix).sum(3);
  const Tensor column = (matrix * right.unsqueeze(3)).sum(4);
  EXPECT_THAT(run(Op::kMatrixProduct, {left, matrix}), IsNear(row, 1e-13));
  EXPECT_THAT(run(Op::kMatrixProduct, {matrix, right}), IsNear(column, 1e-13));
  EXPECT_THAT(run(Op::kMatrixProduct, {right, parameter({6})}).sizes(),
              testing::ElementsAre(2, 3, 4));
}

TEST(Operations, RearrangeStreams) {
  const Tensor x = value({5, 6}), token = value({6});
  EXPECT_THAT(run(Op::kTranspose, {x}), BitEqual(x.transpose(3, 4)));
  EXPECT_THAT(run(Op::kIndex, {x}, 2), BitEqual(x.select(3, 2)));
  EXPECT_THAT(run(Op::kSliceFrom, {x}, 2), BitEqual(x.narrow(3, 2, 3)));
  EXPECT_THAT(run(Op::kSum, {x}), BitEqual(x.sum(3)));
  EXPECT_THAT(run(Op::kRepeat, {token}, 3), BitEqual(at::stack({token, token, token}, 3)));
  EXPECT_THAT(run(Op::kRepeat, {x}, 2), BitEqual(at::stack({x, x}, 3)));
  const Tensor b = value({5});
  EXPECT_THAT(run(Op::kOuter, {b, token}), BitEqual(b.unsqueeze(4) * token.unsqueeze(3)));
}

TEST(Operations, ApplyFunctions) {
  const Tensor x = value({6});
  EXPECT_THAT(run(Op::kSigmoid, {x}), IsNear(1 / (1 + (-x).exp()), 1e-15));
  EXPECT_THAT(run(Op::kTanh, {x}), IsNear(1 - 2 / ((2 * x).exp() + 1), 1e-14));
  EXPECT_THAT(run(Op::kAbs, {x}), BitEqual(x.abs()));
  EXPECT_THAT(run(Op::kUnit, {x}).square().sum(-1),
              IsNear(at::ones({2, 3, 4}, at::kDouble), 1e-15));
}

TEST(Operations, StopGradients) {
  const Tensor x = value({6}).requires_grad_();
  EXPECT_FALSE(run(Op::kStopGradient, {x}).requires_grad());
  EXPECT_THAT(run(Op::kStopGradient, {x}), BitEqual(x.detach()));
}

}  // namespace
}  // namespace layerlab::models
