// The cheapest tasks are learnt, by the configurations that docs/tasks.md lists.

#include <gtest/gtest.h>

#include "core/exit_code.h"
#include "core/files.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace layerlab {
namespace {

class Learning : public testing::TestWithParam<const char*> {};

TEST_P(Learning, SolvesHeldOutProblems) {
  const TemporaryFolder folder;
  const std::string file = std::string(LAYERLAB_EXPERIMENTS) + "/tasks/" + GetParam() + ".toml";
  const Ended ended = run_program({LAYERLAB_BINARIES "/layerlab", "verify", file, "--device", "cpu",
                                   "--out", folder / "results"});
  ASSERT_EQ(ended.code, exit_code::kDone) << ended.output << ended.errors;
  const std::string verdicts = read_file(folder / "results" / GetParam() / "verdicts.json");
  const std::size_t estimate = verdicts.find("\"estimate\"");
  ASSERT_NE(estimate, std::string::npos) << verdicts;
  EXPECT_GE(std::stod(verdicts.substr(verdicts.find(':', estimate) + 1)), 0.99) << verdicts;
}

INSTANTIATE_TEST_SUITE_P(Tasks, Learning, testing::Values("copy", "parity", "reverse"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace layerlab
