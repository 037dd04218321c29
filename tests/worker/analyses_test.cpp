// What probe.analyses asks for, in whole runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/worker/cells.h"

namespace layerlab::worker {
namespace {

class AnalysedRuns : public Cells {
 protected:
  using Table = std::vector<std::vector<double>>;

  std::filesystem::path analysed_cell(const std::string& name, const std::string& probe) {
    return write_cell(name,
                      "seed = 3\n[task]\nlength = 4\n[model]\nblock = 'pre_ln'\ndepth = 2\n"
                      "width = 8\nheads = 2\nff = 12\n[train]\nbatch = 3\nsteps = 3\n[probe]\n"
                      "every = 1\n" +
                          probe);
  }
  static record::Reader reader(const std::filesystem::path& cell) {
    return record::Reader(record::CellFolder{cell}.record());
  }
  static Table steps_of(const std::filesystem::path& cell, const std::string& name) {
    return reader(cell).numbers("SELECT step FROM scalar WHERE name = '" + name +
                                "' AND value > 0 ORDER BY step");
  }
};

const char* const kAll =
    "analyses = ['amplification', 'sharpness', 'adam_sharpness', 'jacobian_sv', 'dependency']";

TEST_F(AnalysedRuns, AreTrainedAsWithoutAnalyses) {
  const auto with = analysed_cell("with", kAll), without = analysed_cell("without", "");
  train_cells({with});
  train_cells({without});
  const std::string losses =
      "SELECT step, value FROM scalar WHERE name IN ('loss', 'eval_loss', "
      "'grad_norm') ORDER BY name, step";
  EXPECT_EQ(reader(with).numbers(losses), reader(without).numbers(losses));
  const std::string params = "SELECT weight_norm, update_norm FROM param";
  EXPECT_EQ(reader(with).numbers(params), reader(without).numbers(params));
}

TEST_F(AnalysedRuns, HaveANumberAtEachMeasuredStep) {
  const auto cell = analysed_cell("cell", kAll);
  train_cells({cell});
  const Table every = {{0}, {1}, {2}};
  EXPECT_EQ(steps_of(cell, "amplification"), every);
  EXPECT_EQ(steps_of(cell, "jacobian_sv"), every);
  EXPECT_EQ(reader(cell).numbers("SELECT step FROM scalar WHERE name = 'sharpness'"), every);
  // Adam divides by nothing that it has seen before its first update.
  EXPECT_EQ(reader(cell).numbers("SELECT step FROM scalar WHERE name = 'adam_sharpness'"),
            (Table{{1}, {2}}));
}

TEST_F(AnalysedRuns, HaveTheSameBitsInAPackOfOneTwoAndFour) {
  const std::vector<std::string> tables = {
      "SELECT step, value FROM scalar WHERE name IN ('amplification', 'sharpness', "
      "'adam_sharpness', 'jacobian_sv') ORDER BY name, step",
      "SELECT step, layer, value FROM dependency ORDER BY 1, layer, sublayer, on_layer, "
      "on_sublayer"};
  std::vector<Table> alone;
  for (const int replicas : {1, 2, 4}) {
    std::vector<std::filesystem::path> pack;
    for (int r = 0; r < replicas; ++r) {  // the run in question comes last
      const int seed = 3 + replicas - 1 - r;
      pack.push_back(analysed_cell("run" + std::to_string(replicas) + std::to_string(seed), kAll));
      write_file_atomically(pack.back() / "config.toml",
                            "seed = " + std::to_string(seed) + "\n" +
                                read_file(pack.back() / "config.toml").substr(9));
    }
    train_cells(pack);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const Table numbers = reader(pack.back()).numbers(tables[i]);
      if (replicas == 1) alone.push_back(numbers);
      EXPECT_EQ(numbers, alone[i]) << replicas << ' ' << tables[i];
      if (replicas == 2) {
        EXPECT_NE(reader(pack.front()).numbers(tables[i]), alone[i]);
      }
    }
  }
}

// Nothing happens to a branch of Pre-LN once it is in the stream, so that what the sites say of
// their sizes is what the table must say of their parts.
TEST_F(AnalysedRuns, KnowWhichBranchesTheStreamIsOf) {
  const auto cell = analysed_cell("cell", "analyses = 'dependency'");
  train_cells({cell});
  const Table parts = reader(cell).numbers(
      "SELECT d.value, b.rms / o.rms FROM dependency d"
      " JOIN site o ON o.step = d.step AND o.layer = d.layer AND o.sublayer = d.sublayer"
      "  AND o.site = 'out'"
      " JOIN site b ON b.step = d.step AND b.layer = d.on_layer AND b.sublayer = d.on_sublayer"
      "  AND b.site = 'branch'");
  ASSERT_EQ(parts.size(), 3u * (1 + 2 + 3 + 4));  // of four sub-layers, at three steps
  for (const auto& part : parts) EXPECT_NEAR(part[0], part[1], 1e-5);
  EXPECT_THAT(
      reader(cell).numbers("SELECT DISTINCT on_layer FROM dependency WHERE on_sublayer = ''"),
      testing::ElementsAre(testing::ElementsAre(-1)));
}

}  // namespace
}  // namespace layerlab::worker
