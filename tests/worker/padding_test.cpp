// Runs on pairs whose lengths differ.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/worker/cells.h"

namespace layerlab::worker {
namespace {

class PaddedRuns : public Cells {
 protected:
  // A file of words and the same words backwards, 1 to 8 letters long.
  std::filesystem::path uneven_pairs() {
    std::string text;
    for (unsigned i = 0; i < 200; ++i) {
      std::string word;
      for (unsigned n = 0; n <= i % 8; ++n) word += static_cast<char>('a' + (i * 7 + n * n) % 5);
      text += word + "\t" + std::string(word.rbegin(), word.rend()) + "\n";
    }
    write_file_atomically(folder_ / "uneven.tsv", text);
    return folder_ / "uneven.tsv";
  }
};

TEST_F(PaddedRuns, TrainInEveryDtypeAndKindOfModel) {
  const std::string path = uneven_pairs().string();
  for (const std::string kind : {"encoder", "decoder", "encoder_decoder"}) {
    for (const std::string dtype : {"float32", "bfloat16", "float64"}) {
      const auto run = write_cell(
          kind + dtype, "[task]\nname = 'pairs'\npath = '" + path + "'\n[model]\nkind = '" + kind +
                            "'\ndepth = 1\nwidth = 8\nheads = 2\nff = 12\n[train]\ndtype = '" +
                            dtype + "'\nsteps = 3\nbatch = 8\n[probe]\npreset = 'full'\n");
      ASSERT_EQ(train_cells({run}), PackOutcome::kDone) << kind << ' ' << dtype;
      EXPECT_EQ(done(run).state, record::CellState::kFinished) << kind << ' ' << dtype;
      const record::Reader reader(record::CellFolder{run}.record());
      EXPECT_EQ(reader.numbers("SELECT count(*) FROM scalar WHERE name = 'loss'")[0][0], 3);
    }
  }
}

}  // namespace
}  // namespace layerlab::worker
