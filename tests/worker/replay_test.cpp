#include "worker/replay.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "core/files.h"
#include "record/record.h"
#include "tests/worker/cells.h"
#include "worker/pack.h"

namespace layerlab::worker {
namespace {

namespace fs = std::filesystem;

class Replay : public Cells {
 protected:
  record::Reader replay_of(const fs::path& cell, std::int64_t step) {
    const fs::path record = folder_ / "replay" / std::to_string(step) / "record.db";
    replay({cell, step, record, at::kCPU}, [](const sweep::Event&) {});
    return record::Reader(record);
  }
};

TEST_F(Replay, IsBitEqualToTheRunWhateverItTrainsLikeAndBeginsFrom) {
  for (const char* more : {"lr = 1e-2", "optimizer = 'lion'", "dtype = 'bfloat16'",
                           "accumulate = 3\nlabel_smoothing = 0.1"}) {
    const fs::path run = cell(std::string("run") + more[0] + more[3], 1, more);
    const fs::path other = cell(std::string("other") + more[0] + more[3], 2, more);
    train_cells({other, run});
    const auto before = contents(run);
    const record::Reader original(record::CellFolder{run}.record());
    for (const int step : {0, 4, 7, 10, 11}) {  // checkpoints are of 10 and 12
      const record::Reader repeated = replay_of(run, step);
      const std::string query =
          "SELECT value FROM scalar WHERE name NOT LIKE 'eval%' AND step = " + std::to_string(step);
      EXPECT_EQ(repeated.numbers(query), original.numbers(query)) << more << ' ' << step;
      EXPECT_GT(repeated.numbers("SELECT count(*) FROM site WHERE rms > 0")[0][0], 20);
    }
    // What the run measured itself, at steps 4 and 11.
    for (const int step : {4, 11}) {
      const std::string rms =
          "SELECT rms, grad_norm FROM site WHERE step = " + std::to_string(step);
      EXPECT_EQ(replay_of(run, step).numbers(rms), original.numbers(rms)) << more << ' ' << step;
    }
    EXPECT_EQ(contents(run), before);
  }
}

// Every row of a step, of all tables but those of evaluations and times.
std::string rows_of(const record::Reader& reader, std::int64_t step) {
  const std::string at = " WHERE step = " + std::to_string(step);
  std::ostringstream text;
  for (const std::string from : {"scalar" + at + " AND name NOT LIKE 'eval%'", "site" + at,
                                 "param" + at, "dependency" + at}) {
    text << from << '\n';
    for (const auto& row : reader.numbers("SELECT * FROM " + from)) {
      for (const double value : row) text << std::hexfloat << value << ' ';
      text << '\n';
    }
  }
  return text.str();
}

TEST_F(Replay, RepeatsEveryMeasurementBitForBit) {
  const fs::path run = write_cell(
      "run",
      "seed = 3\n[task]\nlength = 4\n[model]\nblock = 'pre_ln'\ndepth = 2\nwidth = 8\nheads = 2\n"
      "ff = 12\ndropout = 0.1\n[train]\nbatch = 3\nsteps = 7\ncheckpoint_every = 3\n[probe]\n"
      "every = 1\npreset = 'full'\nanalyses = ['amplification', 'sharpness', 'adam_sharpness', "
      "'jacobian_sv', 'dependency']\n");
  train_cells({run});
  const record::Reader original(record::CellFolder{run}.record());
  for (const int step : {0, 5}) {
    const std::string expected = rows_of(original, step);
    EXPECT_EQ(rows_of(replay_of(run, step), step), expected);
    EXPECT_GT(original.numbers("SELECT count(*) FROM dependency")[0][0], 0);
  }
}

TEST_F(Replay, OfTheStepThatDivergedTellsTheCauseAgain) {
  const fs::path run = cell("run", 2, "lr = 1e30", 40);
  train_cells({run});
  const record::Reader original(record::CellFolder{run}.record());
  const auto step = static_cast<std::int64_t>(original.numbers("SELECT step FROM event")[0][0]);
  const record::Reader repeated = replay_of(run, step);
  const std::string cause = "SELECT kind || detail FROM event WHERE kind LIKE 'non_finite%'";
  EXPECT_EQ(repeated.strings(cause).size(), 1);
  EXPECT_EQ(repeated.strings(cause), original.strings(cause));
}

TEST_F(Replay, GoesFurtherBackWhereACheckpointIsDamaged) {
  const fs::path run = cell("run", 1);
  train_cells({run});
  fs::resize_file(run / "checkpoint" / "step-000000010.safetensors", 100);
  const record::Reader repeated = replay_of(run, 11);
  const record::Reader original(record::CellFolder{run}.record());
  const char* const query = "SELECT value FROM scalar WHERE step = 11 AND name = 'loss'";
  EXPECT_EQ(repeated.numbers(query), original.numbers(query));
}

}  // namespace
}  // namespace layerlab::worker
