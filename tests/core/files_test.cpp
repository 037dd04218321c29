#include "core/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(Files, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string text("two\nlines and a \0 byte", 22);
  write_file_atomically(folder / "a", text);
  EXPECT_EQ(read_file(folder / "a"), text);
  EXPECT_EQ(entries(folder.path()), 1) << "a temporary file was left behind";
}

TEST(Files, MakesTheFoldersOnTheWay) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "x/y/a", "deep");
  EXPECT_EQ(read_file(folder / "x/y/a"), "deep");
}

TEST(Files, GiveAMissingFilesNameAndReason) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { read_file(folder / "nowhere"); },
              throws_user_error("nowhere: cannot be read: No such file or directory"));
  EXPECT_THAT([&] { read_file(folder.path()); }, throws_user_error("it is a folder"));
}

TEST(AtomicFile, LeavesTheOldContentsUntilItIsCommitted) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  AtomicFile file(folder / "a");
  file.write("new", 3);
  EXPECT_EQ(read_file(folder / "a"), "old");
  file.commit();
  EXPECT_EQ(read_file(folder / "a"), "new");
}

TEST(AtomicFile, LeavesNoTraceWhenItIsAbandoned) {
  const TemporaryFolder folder;
  { AtomicFile(folder / "a").write("half", 4); }
  EXPECT_EQ(entries(folder.path()), 0);
}

TEST(AtomicFile, IsReadableByWhomTheUmaskAllows) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(022);
  write_file_atomically(folder / "a", "");
  ::umask(before);
  EXPECT_EQ(fs::status(folder / "a").permissions(), static_cast<fs::perms>(0644));
}

TEST(AtomicFile, SaysWhyItCannotBeWritten) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "a file, not a folder");
  EXPECT_THAT([&] { write_file_atomically(folder / "a/b", ""); },
              throws_user_error("a/b: cannot be written: Not a directory"));
}

TEST(RemoveTemporaries, ClearsAwayWhatWasLeftHalfWrittenAndNothingElse) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "checkpoint/a", "whole");
  std::ofstream(folder / "checkpoint/a.tmp-123") << "half";
  remove_temporaries(folder.path());
  EXPECT_EQ(entries(folder / "checkpoint"), 1);
  EXPECT_EQ(read_file(folder / "checkpoint/a"), "whole");
}

}  // namespace
}  // namespace layerlab
