// Whole runs, as the worker trains them.

#include "worker/pack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>

#include "core/files.h"
#include "equation/block.h"
#include "record/cell.h"
#include "record/manifest.h"
#include "record/record.h"
#include "record/safetensors.h"
#include "tests/support/user_error.h"
#include "tests/worker/cells.h"

namespace layerlab::worker {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

class Packs : public Cells {};

TEST_F(Packs, GiveTheSameBytesTwice) {
  const fs::path first = cell("first", 1), second = cell("second", 1), other = cell("other", 2);
  train_cells({first});
  train_cells({second});
  train_cells({other});
  EXPECT_EQ(results(first), results(second));
  EXPECT_NE(results(first), results(other));
}

TEST_F(Packs, OfFourAreBitEqualToFourSoloRuns) {
  const std::vector<std::pair<int, std::string>> runs = {
      {1, "lr = 1e-2"}, {2, "lr = 1e-2\nwarmup = 6"}, {3, "clip = 0.5"}, {4, "weight_decay = 0.1"}};
  std::vector<fs::path> together;
  for (const auto& [seed, more] : runs) {
    together.push_back(cell("pack" + std::to_string(seed), seed, more));
  }
  train_cells(together);
  for (const auto& [seed, more] : runs) {
    const fs::path alone = cell("solo" + std::to_string(seed), seed, more);
    train_cells({alone});
    EXPECT_EQ(results(together[seed - 1]), results(alone)) << more;
  }
}

// Of every optimiser, and of what else changes the arithmetic.
TEST_F(Packs, AreBitEqualToSoloRunsAndGoOnAfterAKillHoweverTheyTrain) {
  int number = 0;
  for (const char* more :
       {"optimizer = 'sgd'", "optimizer = 'momentum'", "optimizer = 'adamw'", "optimizer = 'radam'",
        "optimizer = 'lion'", "optimizer = 'gi_adam'", "dtype = 'float64'", "dtype = 'bfloat16'",
        "accumulate = 3", "label_smoothing = 0.1\nz_loss = 1e-3"}) {
    const std::string name = "run" + std::to_string(number++);
    const std::string settings = std::string(more) + "\nweight_decay = 0.1";
    const fs::path alone = cell(name + "-alone", 1, settings);
    const fs::path a = cell(name + "-a", 1, settings);
    const fs::path b = cell(name + "-b", 2, settings + "\nlr = 1e-2\nschedule = 'cosine'");
    train_cells({alone});
    train_cells({b, a});
    ASSERT_EQ(results(a), results(alone)) << more;
    fs::remove(a / "done");
    fs::remove(a / "checkpoint" / "step-000000012.safetensors");
    train_cells({a});
    ASSERT_EQ(results(a), results(alone)) << more;
  }
}

TEST_F(Packs, SaveTheirStateWhenStoppedAndGoOnFromThere) {
  const fs::path whole = cell("whole", 1), broken = cell("broken", 1);
  train_cells({whole});
  std::atomic<bool> stop = true;  // before the first step
  EXPECT_EQ(train_cells({broken}, stop), PackOutcome::kInterrupted);
  EXPECT_EQ(record::read_state({broken}), record::CellState::kBegun);
  EXPECT_EQ(train_cells({broken}), PackOutcome::kDone);
  EXPECT_EQ(results(broken), results(whole));
}

TEST_F(Packs, StopRightAfterTheyReported) {
  const fs::path run = cell("run", 1, "", 1000000);
  std::atomic<bool> stop = false;
  const PackOutcome outcome = train_cells({run}, stop, [&](const sweep::Event&) { stop = true; });
  EXPECT_EQ(outcome, PackOutcome::kInterrupted);
  EXPECT_EQ(record::read_state({run}), record::CellState::kBegun);
}

// What a killed process leaves: rows after its last checkpoint, and no `done`.
TEST_F(Packs, EqualAnUninterruptedRunAfterAKill) {
  const fs::path whole = cell("whole", 1), killed = cell("killed", 1);
  train_cells({whole});
  train_cells({killed});
  fs::remove(killed / "done");
  fs::remove(killed / "checkpoint" / "step-000000012.safetensors");
  ASSERT_TRUE(fs::exists(killed / "checkpoint" / "step-000000010.safetensors"));
  train_cells({killed});
  EXPECT_EQ(results(killed), results(whole));
}

// Another process may have finished a run since the pack was planned.
TEST_F(Packs, NeverTouchACellThatHasEnded) {
  const fs::path finished = cell("finished", 1), diverged = cell("diverged", 2, "lr = 1e30");
  const fs::path rest = cell("rest", 3), alone = cell("alone", 3);
  train_cells({finished, diverged});
  train_cells({alone});
  train_cells({rest});
  fs::remove(rest / "done");
  fs::remove(rest / "checkpoint" / "step-000000012.safetensors");
  const auto before = contents(finished), wild = contents(diverged);
  std::map<std::string, record::CellState> ended;
  train_cells({diverged, rest, finished}, kNeverStop, [&](const sweep::Event& event) {
    if (const auto* cell = std::get_if<sweep::CellEnded>(&event)) ended[cell->cell] = cell->state;
  });
  EXPECT_EQ(contents(finished), before);
  EXPECT_EQ(contents(diverged), wild);
  EXPECT_EQ(results(rest), results(alone));
  EXPECT_EQ(record::read_manifest({rest}).steps, 12 + 2) << "from the checkpoint of step 10 on";
  EXPECT_THAT(ended, UnorderedElementsAre(Pair(finished.string(), record::CellState::kFinished),
                                          Pair(diverged.string(), record::CellState::kDiverged),
                                          Pair(rest.string(), record::CellState::kFinished)));
}

// Only near: other kernels add in another order.
TEST_F(Packs, TrainOnAGpuAsOnTheCpu_CUDA) {
  const auto losses = [&](const fs::path& run, at::Device device) {
    train_pack({{run}, device, 1}, kNeverStop, [](const sweep::Event&) {});
    const record::Reader reader(record::CellFolder{run}.record());
    return reader.numbers("SELECT value FROM scalar WHERE name = 'loss' ORDER BY step");
  };
  const auto cpu = losses(cell("cpu", 1), at::kCPU);
  const auto gpu = losses(cell("gpu", 1), at::Device(at::kCUDA, 0));
  ASSERT_EQ(cpu.size(), gpu.size());
  for (std::size_t step = 0; step < cpu.size(); ++step) {
    EXPECT_NEAR(cpu[step][0], gpu[step][0], 1e-4) << step;
  }
}

TEST_F(Packs, TrainEveryBlockOfTheCatalogue) {
  for (const equation::Block& block : equation::catalogue()) {
    const fs::path run = cell(block.name, 1, "", 20);
    std::string config = read_file(run / "config.toml");
    config.replace(config.find("post_ln"), 7, block.name);
    write_file_atomically(run / "config.toml", config);
    train_cells({run});
    EXPECT_EQ(done(run).state, record::CellState::kFinished) << block.name;
  }
}

// A checkpoint is worth nothing without the measurements that led to it.
TEST_F(Packs, StartOverWhenTheirRecordWasLost) {
  const fs::path whole = cell("whole", 1), lost = cell("lost", 1);
  train_cells({whole});
  train_cells({lost});
  fs::remove(lost / "done");
  fs::remove(lost / "record.db");
  train_cells({lost});
  EXPECT_EQ(results(lost), results(whole));
}

TEST_F(Packs, KeepTheLastTwoCheckpoints) {
  const fs::path run = cell("run", 1);
  train_cells({run});
  EXPECT_FALSE(fs::exists(run / "checkpoint" / "step-000000005.safetensors"));
  EXPECT_TRUE(fs::exists(run / "checkpoint" / "step-000000010.safetensors"));
  EXPECT_TRUE(fs::exists(run / "checkpoint" / "step-000000012.safetensors"));
}

TEST_F(Packs, FreezeARunThatDivergesAndNoOther) {
  const fs::path sane = cell("sane", 1), wild = cell("wild", 2, "lr = 1e30", 40);
  const fs::path neighbour = cell("neighbour", 1, "", 40), alone = cell("alone", 1, "", 40);
  train_cells({wild, neighbour});
  train_cells({alone});
  EXPECT_EQ(done(wild).state, record::CellState::kDiverged);
  EXPECT_EQ(done(neighbour).state, record::CellState::kFinished);
  EXPECT_EQ(results(neighbour), results(alone));

  const record::Reader reader(record::CellFolder{wild}.record());
  const auto events = reader.strings("SELECT kind || ': ' || detail FROM event ORDER BY rowid");
  ASSERT_THAT(events, ElementsAre(StartsWith("diverged: the loss is nan"),
                                  StartsWith("non_finite_activation: forward, layer 0, ")));
  const double last = reader.numbers("SELECT max(step) FROM scalar")[0][0];
  EXPECT_EQ(last, reader.numbers("SELECT step FROM event")[0][0]) << "nothing after it";
  EXPECT_EQ(last + 1, done(wild).steps);
}

// The weight is broken in the state before step 10, as an update could have left it.
TEST_F(Packs, NameTheWeightThatBrokeARun) {
  const fs::path run = cell("run", 1);
  train_cells({run});
  fs::remove(run / "done");
  fs::remove(run / "checkpoint" / "step-000000012.safetensors");
  const fs::path checkpoint = run / "checkpoint" / "step-000000010.safetensors";
  record::SafeTensors state = record::read_safetensors(checkpoint);
  const float infinity = std::numeric_limits<float>::infinity();
  std::memcpy(state.tensors.at("blocks.1.ff.up.weight").bytes.data(), &infinity, sizeof infinity);
  record::add_checksum(state);
  record::write_safetensors(checkpoint, state);
  train_cells({run});

  EXPECT_EQ(done(run).state, record::CellState::kDiverged);
  EXPECT_EQ(done(run).steps, 11);
  EXPECT_THAT(record::Reader(record::CellFolder{run}.record())
                  .strings("SELECT step || ' ' || kind || ': ' || detail FROM event"),
              Contains("10 non_finite_update: optimizer, blocks.1.ff.up.weight: inf, in the "
                       "weights that step 9 left, at lr 0.003"));
}

TEST_F(Packs, DoNotFinishWithWeightsThatAreNotFinite) {
  const fs::path run = cell("run", 1, "lr = 1e39", 1);  // beyond float32
  train_cells({run});
  EXPECT_EQ(done(run).state, record::CellState::kDiverged);
  EXPECT_THAT(record::Reader(record::CellFolder{run}.record()).strings("SELECT kind FROM event"),
              ElementsAre("diverged", "non_finite_update"));
}

TEST_F(Packs, GoOnFromAnOlderCheckpointWhereTheNewestIsDamaged) {
  const fs::path whole = cell("whole", 1), damaged = cell("damaged", 1);
  train_cells({whole});
  train_cells({damaged});
  for (const int kept : {1, 0}) {
    fs::remove(damaged / "done");
    fs::resize_file(damaged / "checkpoint" / "step-000000012.safetensors", 1000);
    if (kept == 0) fs::resize_file(damaged / "checkpoint" / "step-000000010.safetensors", 0);
    std::vector<std::string> warnings;
    train_cells({damaged}, kNeverStop, [&](const sweep::Event& event) {
      const auto* message = std::get_if<sweep::Message>(&event);
      if (message != nullptr) warnings.push_back(message->text);
    });
    EXPECT_EQ(results(damaged), results(whole)) << kept;
    ASSERT_EQ(warnings.size(), kept == 0 ? 2u : 1u);
    EXPECT_THAT(warnings[0], AllOf(HasSubstr("step-000000012.safetensors: "),
                                   EndsWith("; going on from an older state")));
  }
}

TEST_F(Packs, GoOnFromAnOlderCheckpointWhereABitOfTheNewestIsFlipped) {
  const fs::path whole = cell("whole", 1), damaged = cell("damaged", 1);
  train_cells({whole});
  train_cells({damaged});
  fs::remove(damaged / "done");
  const fs::path newest = damaged / "checkpoint" / "step-000000012.safetensors";
  std::string bytes = read_file(newest);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file_atomically(newest, bytes);
  std::vector<std::string> warnings;
  train_cells({damaged}, kNeverStop, [&](const sweep::Event& event) {
    const auto* message = std::get_if<sweep::Message>(&event);
    if (message != nullptr) warnings.push_back(message->text);
  });
  EXPECT_EQ(results(damaged), results(whole));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], AllOf(HasSubstr("step-000000012.safetensors: is damaged"),
                                 EndsWith("; going on from an older state")));
}

TEST_F(Packs, BeginAnewWhereTheRecordIsEmpty) {
  const fs::path whole = cell("whole", 1), empty = cell("empty", 1);
  train_cells({whole});
  train_cells({empty});
  fs::remove(empty / "done");
  write_file_atomically(empty / "record.db", "");
  train_cells({empty});
  EXPECT_EQ(results(empty), results(whole));
}

TEST_F(Packs, BeginANewManifestWhereTheOldIsDamaged) {
  const fs::path run = cell("run", 1);
  train_cells({run});
  fs::remove(run / "done");
  write_file_atomically(run / "manifest.json", "{\"versions\":");
  std::vector<std::string> warnings;
  train_cells({run}, kNeverStop, [&](const sweep::Event& event) {
    const auto* message = std::get_if<sweep::Message>(&event);
    if (message != nullptr) warnings.push_back(message->text);
  });
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("manifest.json"));
  EXPECT_EQ(record::read_manifest({run}).sittings, 1);
}

TEST_F(Packs, ReportProgressAndTheEndOfEachCell) {
  const fs::path run = cell("run", 1);
  std::vector<sweep::Event> events;
  train_cells({run}, kNeverStop, [&](const sweep::Event& event) { events.push_back(event); });
  ASSERT_GE(events.size(), 2u);
  const auto& progress = std::get<sweep::Progress>(events[events.size() - 2]);
  EXPECT_EQ(progress.step, 12);
  EXPECT_EQ(progress.steps, 12);
  EXPECT_GT(progress.tokens_per_second, 0);
  EXPECT_EQ(std::get<sweep::CellEnded>(events.back()).cell, run.string());
}

TEST_F(Packs, RefuseACellThatCannotBeTrainedAndTrainTheOthers) {
  const fs::path a = cell("a", 1), longer = cell("longer", 1, "", 13), b = cell("b", 2);
  const fs::path odd = write_cell("odd", "seed = 'one'");
  EXPECT_THAT(
      [&] {
        train_cells({a, longer, b});
      },
      throws_user_error("expected a run of the same shape"));
  EXPECT_EQ(done(a).state, record::CellState::kFinished);
  EXPECT_EQ(done(b).state, record::CellState::kFinished);
  EXPECT_THAT([&] { train_cells({odd, longer}); }, throws_user_error("seed"));
  EXPECT_EQ(done(longer).state, record::CellState::kFinished);
}

TEST_F(Packs, LeaveACellThatAnotherProcessTrainsToIt) {
  const fs::path a = cell("a", 1), held = cell("held", 2), alone = cell("alone", 1);
  const auto lock = record::CellLock::take({held});
  std::vector<std::string> elsewhere;
  train_cells({held, a}, kNeverStop, [&](const sweep::Event& event) {
    if (const auto* cell = std::get_if<sweep::CellElsewhere>(&event)) {
      elsewhere.push_back(cell->cell);
    }
  });
  EXPECT_THAT(elsewhere, ElementsAre(held.string()));
  EXPECT_FALSE(fs::exists(held / "record.db"));
  train_cells({alone});
  EXPECT_EQ(results(a), results(alone));
}

// A killed process may have trained some of them further than others.
TEST_F(Packs, GoOnFromEachRunsOwnCheckpoint) {
  const fs::path ahead = cell("ahead", 1), behind = cell("behind", 2), alone = cell("alone", 2);
  train_cells({ahead});
  train_cells({alone});
  fs::remove(ahead / "done");
  train_cells({behind, ahead});
  EXPECT_EQ(record::read_manifest({ahead}).steps, 12) << "it had taken them all";
  EXPECT_EQ(record::read_manifest({behind}).steps, 12);
  EXPECT_EQ(results(behind), results(alone));
}

TEST_F(Packs, StopWithoutTouchingTheRunsThatHaveEnded) {
  const fs::path wild = cell("wild", 1, "lr = 1e30", 1000000);
  const fs::path sane = cell("sane", 2, "", 1000000);
  std::atomic<bool> stop = false;
  std::map<std::string, std::string> ended;
  const PackOutcome outcome = train_cells({wild, sane}, stop, [&](const sweep::Event& event) {
    if (!std::holds_alternative<sweep::CellEnded>(event)) return;
    ended = contents(wild);
    stop = true;
  });
  EXPECT_EQ(outcome, PackOutcome::kInterrupted);
  EXPECT_FALSE(ended.empty());
  EXPECT_EQ(contents(wild), ended);
  EXPECT_EQ(record::read_state({sane}), record::CellState::kBegun);
}

TEST_F(Packs, RefuseACheckpointThatDoesNotFit) {
  const fs::path a = cell("a", 1), b = cell("b", 1);
  train_cells({a});
  fs::remove(a / "done");
  std::string config = read_file(a / "config.toml");
  config.replace(config.find("width = 8"), 9, "width = 6");
  write_file_atomically(a / "config.toml", config);
  EXPECT_THAT([&] { train_cells({a}); }, throws_user_error("that fits the model"));
}

}  // namespace
}  // namespace layerlab::worker
