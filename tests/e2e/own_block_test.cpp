// A block that nobody compiled: from a user's file to its sites on record, with the real worker.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/exit_code.h"
#include "core/files.h"
#include "record/record.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace layerlab {
namespace {

TEST(OwnBlock, TrainsAndIsMeasuredWithoutARebuild) {
  TemporaryFolder folder;
  write_file_atomically(
      folder / "mine.toml",
      "[task]\nlength = 5\n"
      "[model]\ndepth = 2\nwidth = 8\nheads = 2\nff = 12\n"
      "[train]\nsteps = 20\n"
      "[block]\nname = 'mine'\nequation = 'h = x + A(LN(x)); x = sr*x + so*(h + M(h))'\n"
      "const = { sr = '1/sqrt(2)', so = '(2*L)^(-1/4)' }\n");
  const Ended ended = run_program({LAYERLAB_BINARIES "/layerlab", "run", folder / "mine.toml",
                                   "--device", "cpu", "--out", folder / "results"});
  ASSERT_EQ(ended.code, exit_code::kDone) << ended.errors;

  const std::filesystem::directory_iterator cell(folder / "results/cells");
  const record::Reader reader(cell->path() / "record.db");
  EXPECT_EQ(reader.numbers("SELECT count(*) FROM scalar WHERE name = 'loss'")[0][0], 20);
  // h is a local of the attention's statement; the sum that M joins is not the stream that leaves.
  for (const char* site :
       {"'attn' AND site = 'h'", "'attn' AND site = 'norm'", "'ff' AND site = 'branch'",
        "'ff' AND site = 'sum'", "'ff' AND site = 'out'"}) {
    const auto rms =
        reader.numbers(std::string("SELECT rms FROM site WHERE step = 19 AND layer = 1 "
                                   "AND sublayer = ") +
                       site);
    ASSERT_EQ(rms.size(), 1u) << site;
    EXPECT_GT(rms[0][0], 0) << site;
  }
}

}  // namespace
}  // namespace layerlab
