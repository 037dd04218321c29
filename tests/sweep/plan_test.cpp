#include "sweep/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/run_config_toml.h"
#include "core/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::sweep {
namespace {

using ::testing::ElementsAre;

class PlanTest : public ::testing::Test {
 protected:
  static config::Experiment grid(const std::vector<std::string>& overrides) {
    return config::load_experiment("", {.settings = overrides});
  }
  Plan plan_of(const config::Experiment& experiment, int replicas) {
    return make_plan({&experiment}, folder_.path(), replicas);
  }
  std::vector<std::size_t> pack_sizes(const Plan& plan) {
    std::vector<std::size_t> sizes;
    for (const Pack& pack : plan.packs) sizes.push_back(pack.cells.size());
    return sizes;
  }
  record::CellFolder cell(const config::Experiment& experiment, std::size_t i) {
    return record::cell_folder(folder_.path(), experiment.cells[i].id);
  }
  static void end(const record::CellFolder& cell, const record::Done& done) {
    write_file_atomically(cell.record(), "");
    record::write_done(cell, done);
  }

  TemporaryFolder folder_;
};

TEST_F(PlanTest, TrainsEverythingOfAnEmptyFolder) {
  const Plan plan = plan_of(grid({"grid.seed=1..5"}), 1);
  EXPECT_EQ(plan.missing, 5);
  EXPECT_EQ(plan.cells(), 5);
  EXPECT_THAT(pack_sizes(plan), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_EQ(plan.packs[0].steps, 400);
}

TEST_F(PlanTest, PacksRunsOfOneShapeUpToTheLimit) {
  const auto experiment = grid({"grid.model.block=[\"post_ln\", \"pre_ln\"]", "grid.seed=1..5"});
  const Plan plan = plan_of(experiment, 3);
  EXPECT_THAT(pack_sizes(plan), ElementsAre(2, 3, 2, 3));
  EXPECT_EQ(plan.packs[0].cells[1].root, cell(experiment, 1).root);
  EXPECT_EQ(plan.packs[1].cells[0].root, cell(experiment, 2).root);
}

TEST_F(PlanTest, MakesPacksOfEqualSize) {
  const Plan plan = plan_of(grid({"grid.seed=1..6"}), 4);
  EXPECT_THAT(pack_sizes(plan), ElementsAre(3, 3));
}

TEST_F(PlanTest, PacksAcrossTheGridWhereShapesAlternate) {
  const auto experiment = grid({"grid.seed=1..3", "grid.model.depth=[1, 2]"});
  EXPECT_THAT(pack_sizes(plan_of(experiment, 8)), ElementsAre(3, 3));
}

TEST_F(PlanTest, SkipsWhatHasEnded) {
  const auto experiment = grid({"grid.seed=1..4"});
  write_inputs(experiment, folder_.path());
  end(cell(experiment, 0), {record::CellState::kFinished, 400});
  end(cell(experiment, 1), {record::CellState::kDiverged, 7});
  const Plan plan = plan_of(experiment, 8);
  EXPECT_EQ(plan.finished, 1);
  EXPECT_EQ(plan.diverged, 1);
  EXPECT_EQ(plan.begun, 2);
  EXPECT_EQ(plan.missing, 0);
  ASSERT_THAT(pack_sizes(plan), ElementsAre(2));
  EXPECT_EQ(plan.packs[0].cells[0].root, cell(experiment, 2).root);
}

TEST_F(PlanTest, KeepsRunsWithDifferentCheckpointsApart) {
  const auto experiment = grid({"grid.seed=1..4"});
  write_inputs(experiment, folder_.path());
  for (const std::size_t i : {1, 3}) {
    const auto checkpoints = cell(experiment, i).checkpoint();
    write_file_atomically(checkpoints / "step-000000100.safetensors", "");
    write_file_atomically(checkpoints / "step-000000200.safetensors", "");
  }
  const Plan plan = plan_of(experiment, 8);
  ASSERT_THAT(pack_sizes(plan), ElementsAre(2, 2));
  EXPECT_EQ(plan.packs[1].cells[0].root, cell(experiment, 1).root);
  EXPECT_EQ(plan.packs[1].cells[1].root, cell(experiment, 3).root);
}

TEST_F(PlanTest, TrainsWhatExperimentsShareOnceAndPacksAcrossThem) {
  const auto one = grid({"grid.seed=1..3"}), other = grid({"grid.seed=3..5"});
  const Plan plan = make_plan({&one, &other}, folder_.path(), 8);
  EXPECT_EQ(plan.cells(), 5);
  EXPECT_THAT(pack_sizes(plan), ElementsAre(5));
}

TEST_F(PlanTest, TrainsARunWithTwoNamesOnce) {
  write_file_atomically(folder_ / "two.toml",
                        "[block]\nname = 'mine'\nequation = 'LN(x + F(x))'\n"
                        "[grid]\n'model.block' = ['mine', 'post_ln']\n");
  const auto experiment = config::load_experiment((folder_ / "two.toml").string(), {});
  EXPECT_EQ(experiment.cells.size(), 2u);
  EXPECT_EQ(plan_of(experiment, 1).cells(), 1);
}

TEST_F(PlanTest, TrainsRunsAfterThoseThatTheyBeginWith) {
  write_file_atomically(folder_ / "later.toml",
                        "[grid]\nseed = '1..2'\n[origin]\ntrain.steps = 100\n");
  const auto experiment = config::load_experiment((folder_ / "later.toml").string(), {});
  const Plan before = plan_of(experiment, 8);
  write_inputs(experiment, folder_.path());
  EXPECT_EQ(before.waiting, 2);
  EXPECT_EQ(before.missing, 2);
  EXPECT_EQ(before.cells(), 4);
  EXPECT_THAT(pack_sizes(before), ElementsAre(2));
  EXPECT_EQ(before.packs[0].steps, 100);

  const auto finish = [&](const config::Cell& cell, record::CellState state) {
    end(record::cell_folder(folder_.path(), cell.id), {state, 100});
  };
  finish(experiment.origins[0], record::CellState::kFinished);
  finish(experiment.origins[1], record::CellState::kDiverged);
  const Plan after = plan_of(experiment, 8);
  EXPECT_EQ(after.waiting, 1) << "weights that diverged are no beginning";
  EXPECT_THAT(pack_sizes(after), ElementsAre(1));
  EXPECT_EQ(after.packs[0].cells[0].root, cell(experiment, 0).root);
}

TEST_F(PlanTest, RefusesACellWhoseSettingsWereChanged) {
  const auto experiment = grid({"grid.seed=[7]"});
  write_inputs(experiment, folder_.path());
  const auto config = cell(experiment, 0).config();
  std::string text = read_file(config);
  text.replace(text.find("seed = 7"), 8, "seed = 8");
  write_file_atomically(config, text);
  EXPECT_THAT([&] { write_inputs(experiment, folder_.path()); },
              throws_user_error(config.string() + ": holds the settings of another run"));
}

TEST_F(PlanTest, WritesWhatWorkersAndReadersNeed) {
  const auto experiment = grid({"grid.train.warmup=[0, 200]", "grid.seed=[7]"});
  write_inputs(experiment, folder_.path());
  EXPECT_EQ(read_file(cell(experiment, 1).config()),
            config::canonical_text(experiment.cells[1].config));
  EXPECT_EQ(read_file(folder_ / (experiment.name + "/experiment.toml")), experiment.resolved_text);
  EXPECT_EQ(read_file(folder_ / (experiment.name + "/cells.txt")),
            experiment.cells[0].id + "  train.warmup = 0  seed = 7\n" + experiment.cells[1].id +
                "  train.warmup = 200  seed = 7\n");
}

TEST_F(PlanTest, LeavesADamagedCellAndTrainsTheOthers) {
  const auto experiment = grid({"grid.seed=1..3"});
  write_file_atomically(cell(experiment, 1).done(), "???");
  const Plan plan = plan_of(experiment, 3);
  EXPECT_THAT(pack_sizes(plan), ElementsAre(2));
  ASSERT_EQ(plan.damaged.size(), 1u);
  EXPECT_EQ(plan.damaged[0].root, cell(experiment, 1).root);
  EXPECT_EQ(plan.cells(), 3);
  std::filesystem::create_directory(cell(experiment, 1).config());
  write_inputs(experiment, folder_.path());
  EXPECT_TRUE(is_there(cell(experiment, 2).config()));
}

}  // namespace
}  // namespace layerlab::sweep
