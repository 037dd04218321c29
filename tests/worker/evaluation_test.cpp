// Held-out evaluations, early ends and given weights, in whole runs.

#include <gtest/gtest.h>

#include "tests/support/user_error.h"
#include "tests/worker/cells.h"

namespace layerlab::worker {
namespace {

namespace fs = std::filesystem;

class Evaluations : public Cells {
 protected:
  fs::path parity_cell(const std::string& name, const std::string& train,
                       const std::string& model = "", int seed = 1) {
    return write_cell(name, "seed = " + std::to_string(seed) +
                                "\n[task]\nname = 'parity'\nlength = 6\n[model]\ndepth = 1\n"
                                "width = 16\nheads = 2\nkind = 'decoder'\n" +
                                model + "\n[train]\nbatch = 8\neval_batches = 2\n" + train);
  }
  static std::vector<std::vector<double>> rows(const fs::path& cell, const std::string& name) {
    return record::Reader(record::CellFolder{cell}.record())
        .numbers("SELECT step, value FROM scalar WHERE name = '" + name + "' ORDER BY step");
  }
};

TEST_F(Evaluations, AreRecordedAtTheirStepsAndAfterTheLast) {
  const fs::path run = parity_cell("run", "steps = 10\neval_every = 4");
  train_cells({run});
  std::vector<double> steps;
  for (const auto& row : rows(run, "eval_loss")) steps.push_back(row[0]);
  EXPECT_EQ(steps, (std::vector<double>{0, 4, 8, 10}));
  const fs::path plain = parity_cell("plain", "steps = 10");
  train_cells({plain});
  ASSERT_EQ(rows(plain, "eval_accuracy").size(), 1u);
  EXPECT_EQ(rows(plain, "eval_loss")[0][1], rows(run, "eval_loss").back()[1]);
}

TEST_F(Evaluations, DoNotChangeTraining) {
  const fs::path with = parity_cell("with", "steps = 12\neval_every = 3"),
                 without = parity_cell("without", "steps = 12");
  train_cells({with});
  train_cells({without});
  EXPECT_EQ(rows(with, "loss"), rows(without, "loss"));
}

TEST_F(Evaluations, EndARunThatReachesItsTargetAndNoOther) {
  // Of two replicas, the one that learns ends; the other goes on, as it would by itself.
  const std::string common = "steps = 40\neval_every = 5\ntarget_accuracy = 0.52\n";
  const fs::path learns = parity_cell("learns", common + "lr = 1e-2"),
                 stays = parity_cell("stays", common + "lr = 1e-9", "", 2),
                 alone = parity_cell("alone", common + "lr = 1e-9", "", 2);
  train_cells({learns, stays});
  train_cells({alone});
  const record::Done done = record::read_done({learns});
  ASSERT_LT(done.steps, 40) << "or the task is too hard for this test";
  EXPECT_EQ(done.state, record::CellState::kFinished);
  EXPECT_EQ(done.steps % 5, 0);
  EXPECT_GE(rows(learns, "eval_accuracy").back()[1], 0.52);
  EXPECT_EQ(rows(learns, "loss").size(), static_cast<std::size_t>(done.steps));
  EXPECT_EQ(record::Reader(record::CellFolder{learns}.record()).strings("SELECT kind FROM event"),
            (std::vector<std::string>{"target_reached"}));
  EXPECT_EQ(rows(stays, "loss"), rows(alone, "loss"));
  EXPECT_EQ(rows(stays, "eval_loss"), rows(alone, "eval_loss"));
}

TEST_F(Evaluations, OfARunThatBeginsWithAnothersWeightsAreThatRunsAtFirst) {
  const fs::path first = parity_cell("first", "steps = 8");
  train_cells({first});
  const fs::path weights = first / "checkpoint/step-000000008.safetensors";
  const fs::path second = parity_cell("second", "steps = 1\neval_every = 1",
                                      "init_from = '" + weights.string() + "'", 7);
  train_cells({second});
  EXPECT_EQ(rows(second, "eval_loss").front()[1], rows(first, "eval_loss").back()[1]);
}

// As replicas of one model, each with the weights of another run.
TEST_F(Evaluations, OfRunsThatBeginWithOtherRunsAreThoseRunsAtFirst) {
  const std::string first(32, '1'), second(32, '2');
  const fs::path one = parity_cell(first, "steps = 8", "", 1),
                 two = parity_cell(second, "steps = 8", "", 2);
  train_cells({one, two});
  const auto begin_with = [&](const char* name, const std::string& origin) {
    return parity_cell(name, "steps = 1\neval_every = 1", "init_from = 'cell:" + origin + "'", 7);
  };
  const fs::path after_two = begin_with("after_two", second),
                 after_one = begin_with("after_one", first);
  train_cells({after_two, after_one});
  EXPECT_EQ(rows(after_one, "eval_loss").front()[1], rows(one, "eval_loss").back()[1]);
  EXPECT_EQ(rows(after_two, "eval_loss").front()[1], rows(two, "eval_loss").back()[1]);
}

TEST_F(Evaluations, OfOneStepLeaveNoWeights) {
  const fs::path run = parity_cell("run", "steps = 1");
  train_cells({run});
  EXPECT_EQ(done(run).state, record::CellState::kFinished);
  EXPECT_FALSE(fs::exists(run / "checkpoint"));
}

TEST_F(Evaluations, CannotBeginWithARunThatHasNotFinished) {
  const std::string id(32, '0');
  const fs::path run = parity_cell("run", "steps = 1", "init_from = 'cell:" + id + "'");
  EXPECT_EQ(refusal([&] { train_cells({run}); }),
            (run / "config.toml").string() + ": begins with the last weights of run " + id +
                ", which has not finished or keeps "
                "none; train that run first, for more than one step");
}

TEST_F(Evaluations, CannotBeginWithWeightsOfAnotherShape) {
  const fs::path first = parity_cell("first", "steps = 2");
  train_cells({first});
  const fs::path weights = first / "checkpoint/step-000000002.safetensors";
  const fs::path wider =
      parity_cell("wider", "steps = 1", "ff = 64\ninit_from = '" + weights.string() + "'");
  EXPECT_EQ(refusal([&] { train_cells({wider}); }),
            weights.string() +
                ": expected a tensor blocks.0.ff.up.weight of shape 64x16; "
                "train a model of the shape that the file is of");
}

TEST_F(Evaluations, CannotBeginWithAFileThatHasChanged) {
  const fs::path first = parity_cell("first", "steps = 2");
  train_cells({first});
  const fs::path weights = first / "checkpoint/step-000000002.safetensors";
  const fs::path second = parity_cell(
      "second", "steps = 1",
      "init_from = '" + weights.string() + "'\ninit_content = '" + std::string(32, '0') + "'");
  EXPECT_EQ(refusal([&] { train_cells({second}); }),
            weights.string() +
                ": is not what the run was configured with: its hash is not "
                "model.init_content; restore the file, or remove "
                "model.init_content to train on it as it is");
}

TEST_F(Evaluations, HaveNoDropout) {
  const fs::path with = parity_cell("with", "steps = 1\neval_every = 1", "dropout = 0.5"),
                 without = parity_cell("without", "steps = 1\neval_every = 1");
  train_cells({with});
  train_cells({without});
  EXPECT_EQ(rows(with, "eval_loss")[0], rows(without, "eval_loss")[0]);
  EXPECT_NE(rows(with, "loss")[0], rows(without, "loss")[0]);
}

}  // namespace
}  // namespace layerlab::worker
