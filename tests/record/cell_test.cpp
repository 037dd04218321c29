#include "record/cell.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "core/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::record {
namespace {

TEST(CellState, FollowsFromTheFiles) {
  const TemporaryFolder folder;
  const CellFolder cell{folder / "cell"};
  EXPECT_EQ(read_state(cell), CellState::kMissing);
  write_file_atomically(cell.config(), "seed = 1\n");
  EXPECT_EQ(read_state(cell), CellState::kBegun);
  write_done(cell, {CellState::kFinished, 400});
  write_file_atomically(cell.record(), "");
  EXPECT_EQ(read_state(cell), CellState::kFinished);
  write_done(cell, {CellState::kDiverged, 17});
  EXPECT_EQ(read_state(cell), CellState::kDiverged);
  EXPECT_EQ(read_done(cell).steps, 17);
}

TEST(Done, IsSmallJson) {
  const TemporaryFolder folder;
  const CellFolder cell{folder.path()};
  write_done(cell, {CellState::kFinished, 400});
  EXPECT_EQ(read_file(cell.done()), "{\"status\":\"finished\",\"steps\":400}\n");
}

TEST(Done, IsRefusedWhenItIsDamaged) {
  const TemporaryFolder folder;
  const CellFolder cell{folder.path()};
  for (const char* const text : {"", "{}", R"({"status":"begun","steps":1})", R"({"steps":1})"}) {
    write_file_atomically(cell.done(), text);
    EXPECT_THAT([&] { read_done(cell); },
                throws_user_error("remove the file to resume the run from its last checkpoint"))
        << text;
    EXPECT_EQ(read_state(cell), CellState::kDamaged) << text;
    EXPECT_THAT(damage(cell), testing::HasSubstr("done: should read")) << text;
  }
}

TEST(CellState, IsDamagedWhereAFileOfTheRunCannotBeUsed) {
  const TemporaryFolder folder;
  const CellFolder cell{folder.path()};
  const auto damaged = [&](const char* what) {
    EXPECT_EQ(read_state(cell), CellState::kDamaged);
    EXPECT_THAT(damage(cell), testing::HasSubstr(what));
  };
  write_done(cell, {CellState::kFinished, 400});
  damaged("record.db: is missing, although the run has ended");
  std::filesystem::create_symlink("record.db", cell.record());
  damaged("record.db: cannot be read: Too many levels of symbolic links");
  std::filesystem::remove(cell.done());
  std::filesystem::create_symlink("done", cell.done());
  damaged("done: cannot be read: Too many levels of symbolic links");
  std::filesystem::remove(cell.done());
  std::filesystem::remove(cell.record());
  write_file_atomically(cell.config(), "seed = 1\n");
  EXPECT_EQ(damage(cell), "");
  write_file_atomically(cell.record(), std::string(5000, 'x'));
  damaged("record.db: file is not a database");
}

TEST(CellLock, MakesTheFolder) {
  const TemporaryFolder folder;
  const auto lock = CellLock::take(CellFolder{folder / "cells/1f"});
  EXPECT_TRUE(lock);
  EXPECT_TRUE(std::filesystem::is_directory(folder / "cells/1f"));
}

TEST(CellLock, IsHeldByOneAtATime) {
  const TemporaryFolder folder;
  const CellFolder cell{folder.path()};
  EXPECT_FALSE(CellLock::is_taken(cell));
  {
    const auto lock = CellLock::take(cell);
    EXPECT_TRUE(lock);
    EXPECT_FALSE(CellLock::take(cell));
    EXPECT_TRUE(CellLock::is_taken(cell));
  }
  EXPECT_FALSE(CellLock::is_taken(cell));
  EXPECT_TRUE(CellLock::take(cell));
}

TEST(CellLock, IsFreeAgainWhenItsHolderWasKilled) {
  const TemporaryFolder folder;
  const CellFolder cell{folder.path()};
  int locked[2];
  ASSERT_EQ(::pipe(locked), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = CellLock::take(cell);
    if (::write(locked[1], "!", 1) == 1) ::pause();
    ::_exit(1);
  }
  char byte;
  ASSERT_EQ(::read(locked[0], &byte, 1), 1);
  EXPECT_FALSE(CellLock::take(cell));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(CellLock::take(cell));
  ::close(locked[0]);
  ::close(locked[1]);
}

TEST(CellLock, ClearsAwayHalfWrittenFiles) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "checkpoint");
  std::ofstream(temporary_name(folder / "checkpoint/last")) << "half";
  const auto lock = CellLock::take(CellFolder{folder.path()});
  EXPECT_TRUE(std::filesystem::is_empty(folder / "checkpoint"));
}

}  // namespace
}  // namespace layerlab::record
