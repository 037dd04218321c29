#include "config/migration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/identity.h"
#include "config/run_config_toml.h"
#include "core/files.h"
#include "record/cell.h"
#include "tests/config/read_run.h"
#include "tests/support/temporary_folder.h"

namespace layerlab::config {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Names as an earlier version might have given them.
const std::string kOld(32, 'a'), kOther(32, 'b');

class OldResults : public testing::Test {
 protected:
  record::CellFolder cell(const std::string& name) const {
    return {folder_ / ("results/cells/" + name)};
  }
  // A run under this name. Returns the one that it has today.
  std::string store(const std::string& name, const std::string& settings) const {
    const RunConfig run = read(settings);
    write_file_atomically(cell(name).config(), canonical_text(run));
    write_file_atomically(cell(name).record(), name);
    return cell_id(run);
  }
  void finish(const std::string& name) const {
    record::write_done(cell(name), {record::CellState::kFinished, 1});
  }
  std::vector<std::string> names(const std::string& folder = "cells") const {
    std::vector<std::string> result;
    for (const fs::path& entry : sorted_entries(results() / folder)) {
      result.push_back(entry.filename());
    }
    return result;
  }
  fs::path results() const { return folder_ / "results"; }
  void migrate_all() const { migrate(results(), plan_migration(results())); }

  TemporaryFolder folder_;
};

TEST_F(OldResults, GetTodaysNames) {
  const std::string id = store(kOld, "train.lr = 1");
  write_file_atomically(results() / "study/cells.txt", kOld + "  train.lr = 1\n");
  EXPECT_TRUE(has_migratable(results(), {kOld}));
  migrate_all();
  EXPECT_THAT(names(), ElementsAre(id));
  EXPECT_EQ(read_file(cell(id).record()), kOld);
  EXPECT_EQ(read_file(results() / "study/cells.txt"), id + "  train.lr = 1\n");
  EXPECT_THAT(plan_migration(results()), IsEmpty());
  EXPECT_FALSE(has_migratable(results(), {id}));
}

TEST_F(OldResults, StayWhileTheyArePlannedOnly) {
  const std::string id = store(kOld, "train.lr = 1");
  const std::vector<Migration> plan = plan_migration(results());
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].kind, Migration::Kind::kRename);
  EXPECT_EQ(plan[0].from, kOld);
  EXPECT_EQ(plan[0].to, id);
  EXPECT_THAT(names(), ElementsAre(kOld));
}

TEST_F(OldResults, AreFollowedByTheRunsThatBeginWithThem) {
  const std::string id = store(kOld, "train.lr = 1");
  store(kOther, "model.init_from = 'cell:" + kOld + "'");
  const std::string follower = cell_id(read("model.init_from = 'cell:" + id + "'"));
  migrate_all();
  EXPECT_THAT(names(), testing::UnorderedElementsAre(id, follower));
  EXPECT_THAT(read_file(cell(follower).config()), testing::HasSubstr("cell:" + id));
  EXPECT_THAT(plan_migration(results()), IsEmpty());
}

TEST_F(OldResults, NeverReplaceARunThatIsThere) {
  const std::string id = store(kOld, "train.lr = 1");
  store(id, "train.lr = 1");
  migrate_all();
  EXPECT_EQ(read_file(cell(id).record()), id);
  EXPECT_THAT(names("replaced"), ElementsAre(kOld));
}

TEST_F(OldResults, ReplaceOneThatHasNotFinishedByOneThatHas) {
  const std::string id = store(kOld, "train.lr = 1");
  store(id, "train.lr = 1");
  finish(kOld);
  migrate_all();
  EXPECT_EQ(read_file(cell(id).record()), kOld);
  EXPECT_THAT(names(), ElementsAre(id));
  EXPECT_THAT(names("replaced"), ElementsAre(id));
}

TEST_F(OldResults, StayWhereTheyCannotBeRead) {
  write_file_atomically(cell(kOld).config(), "train.speed = 1\n");
  const std::string id = store(kOther, "train.lr = 1");
  const std::vector<Migration> plan = plan_migration(results());
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_EQ(plan[0].kind, Migration::Kind::kKeep);
  EXPECT_THAT(plan[0].reason, testing::HasSubstr("train.speed"));
  migrate_all();
  EXPECT_THAT(names(), testing::UnorderedElementsAre(kOld, id));
}

TEST_F(OldResults, AreRefusedWhileTheyAreTrained) {
  store(kOld, "train.lr = 1");
  const auto lock = record::CellLock::take(cell(kOld));
  EXPECT_THAT([&] { migrate_all(); }, throws_user_error(kOld));
  EXPECT_THAT(names(), ElementsAre(kOld));
}

}  // namespace
}  // namespace layerlab::config
