#include "theory/operations.h"

#include <gtest/gtest.h>

#include "equation/operations.h"

namespace layerlab::theory {
namespace {

TEST(MeanFieldOfOperations, IsAFormulaOrAReasonWhyThereIsNone) {
  for (const equation::Operation& row : equation::kOperations) {
    if (row.op == equation::Op::kBranch || row.op == equation::Op::kParameter) continue;
    const MeanField rule = mean_field(row.op);
    const bool reason = std::string_view(rule.reason) != "";
    EXPECT_TRUE(rule.constants != nullptr || reason) << row.name << row.text;
    EXPECT_TRUE(rule.signals != nullptr || reason) << row.name << row.text;
  }
}

}  // namespace
}  // namespace layerlab::theory
