#include "core/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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

// An endless file would end with the memory, a pipe never.
TEST(Files, AreReadOnlyWhereTheyEnd) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder / "link");
  EXPECT_THAT([&] { read_file(folder / "pipe"); },
              throws_user_error("pipe: cannot be read: it is a pipe"));
  EXPECT_THAT([&] { read_file(folder / "link"); },
              throws_user_error("link: cannot be read: it is a device"));
}

TEST(Files, HaveNamesThatLeadToNoOtherFolder) {
  for (const char* const name : {"a", "a b.c", "...", ".a", "réseau"}) {
    EXPECT_TRUE(is_file_name(name)) << name;
  }
  for (const char* const name : {"", ".", "..", "a/b", "/", "a\x1b[2J", "a\n"}) {
    EXPECT_FALSE(is_file_name(name)) << name;
  }
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

TEST(AtomicFile, ReplacesTheFileThatALinkLeadsTo) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "x/target", "old");
  fs::create_symlink("x/target", folder / "inner");
  fs::create_symlink("inner", folder / "link");
  write_file_atomically(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "x/target"), "new");
  fs::create_symlink("x/not_yet", folder / "dangling");
  write_file_atomically(folder / "dangling", "new");
  EXPECT_EQ(read_file(folder / "x/not_yet"), "new");
}

TEST(AtomicFile, RefusesLinksThatLeadNowhere) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  EXPECT_THAT([&] { write_file_atomically(folder / "a", ""); },
              throws_user_error("a: cannot be written: Too many levels of symbolic links"));
}

TEST(AtomicFile, KeepsThePermissionsOfWhatItReplaces) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "");
  fs::permissions(folder / "a", fs::perms::owner_read | fs::perms::owner_write);
  write_file_atomically(folder / "a", "secret");
  EXPECT_EQ(fs::status(folder / "a").permissions(), static_cast<fs::perms>(0600));
}

TEST(AtomicFile, WritesToAPipeAsItIs) {
  const TemporaryFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT([&] { write_file_atomically(pipe, "text"); },
              throws_user_error("pipe: cannot be written: nobody reads from it"));
  const FileDescriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  write_file_atomically(pipe, "text");
  char text[8] = {};
  EXPECT_EQ(::read(reader.get(), text, sizeof text), 4);
  EXPECT_STREQ(text, "text");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(AtomicFile, WritesToItsOwnDescriptorWhereThatHasCome) {
  const TemporaryFolder folder;
  const FileDescriptor out(::open((folder / "a").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(::write(out.get(), "before ", 7), 7);
  write_file_atomically("/dev/fd/" + std::to_string(out.get()), "text");
  ASSERT_EQ(::write(out.get(), " after", 6), 6);
  EXPECT_EQ(read_file(folder / "a"), "before text after");
}

TEST(AtomicFile, ReportsWhatADeviceRefuses) {
  EXPECT_THAT([] { write_file_atomically("/dev/full", "text"); },
              throws_user_error("/dev/full: cannot be written: No space left on device"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(AtomicFile, TakesANameThatNobodyCanOccupy) {
  const TemporaryFolder folder;
  EXPECT_NE(temporary_name(folder / "a"), temporary_name(folder / "a"));
}

TEST(RemoveTemporaries, ClearsAwayWhatWasLeftHalfWrittenAndNothingElse) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "checkpoint/a", "whole");
  const auto name = [&](const char* file) { return temporary_name(folder / file); };
  std::ofstream(name("checkpoint/a")) << "half";
  fs::create_directory(name("folder"));
  fs::create_symlink("checkpoint/a", name("link"));
  std::ofstream(folder / "my.tmp-notes.txt") << "mine";
  std::ofstream(folder / "a.tmp-123") << "mine";
  remove_temporaries(folder.path());
  EXPECT_EQ(entries(folder / "checkpoint"), 1);
  EXPECT_EQ(entries(folder.path()), 5);
}

}  // namespace
}  // namespace layerlab
