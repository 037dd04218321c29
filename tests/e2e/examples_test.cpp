// layerlab examples with the real worker.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/exit_code.h"
#include "tests/support/program.h"

namespace layerlab {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;

TEST(ExamplesCommand, EndsWithZeroWhenAllThatCanAgreeDo) {
  const Ended ended = run_program({LAYERLAB_BINARIES "/layerlab", "examples"});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(ended.output, AllOf(ContainsRegex("13\\.7858 +13\\.7858 +agrees"),
                                  ContainsRegex("1\\.9e-18 +1\\.1e-18 +the document errs"),
                                  EndsWith("32 agree, in 3 the document errs, 0 differ\n")));
}

}  // namespace
}  // namespace layerlab
