// What docs/training.md says of checkpoints, with the Python that LibTorch came with.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/exit_code.h"
#include "core/files.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace layerlab {
namespace {

// The indented lines that follow "<!-- run by a test -->" in docs/training.md.
std::string documented_lines() {
  const std::string mark = "<!-- run by a test -->\n\n";
  const std::string page = read_file(LAYERLAB_TRAINING_PAGE);
  std::size_t at = page.find(mark) + mark.size();
  std::string lines;
  for (const std::string indent = "    "; page.compare(at, indent.size(), indent) == 0;) {
    const std::size_t end = page.find('\n', at);
    lines += page.substr(at + indent.size(), end + 1 - at - indent.size());
    at = end + 1;
  }
  return lines;
}

TEST(Checkpoints, LoadInPythonAsTheDocumentationSays) {
  if (run_program({LAYERLAB_PYTHON, "-c", "import torch, safetensors"}).code != 0) {
    GTEST_SKIP() << LAYERLAB_PYTHON << " has no torch, or no safetensors";
  }
  TemporaryFolder folder;
  const Ended ended =
      run_program({LAYERLAB_BINARIES "/layerlab", "run", "model.depth=1", "model.width=8",
                   "model.ff=12", "train.steps=400", "train.batch=2", "task.length=4",
                   "probe.schedule=off", "--device", "cpu", "--out", folder / "results"});
  ASSERT_EQ(ended.code, exit_code::kDone) << ended.errors;

  std::string lines = documented_lines();
  ASSERT_EQ(std::ranges::count(lines, '\n'), 3);
  const std::string cell = std::filesystem::directory_iterator(folder / "results/cells")->path();
  lines = "import os; os.chdir('" + cell + "')\n" + lines +
          "q = torch.nn.Linear(8, 8)\n"
          "q.load_state_dict({part: weights['blocks.0.attn.q.' + part] for part in ('weight', "
          "'bias')})\n"
          "print(len(weights), len(state))\n";
  const Ended python = run_program({LAYERLAB_PYTHON, "-c", "import torch\n" + lines});
  EXPECT_EQ(python.code, 0) << python.errors;
  // Two embeddings, twelve matrices and biases, two norms, the final norm and the head; each with
  // two moments.
  EXPECT_EQ(python.output, "22 66\n");
}

}  // namespace
}  // namespace layerlab
