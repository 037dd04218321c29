#include "core/mapped_file.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab {
namespace {

TEST(MappedFile, HoldsTheBytesOfTheFile) {
  const TemporaryFolder folder;
  const std::string text = std::string(100000, 'a') + '\0' + "\r\n";
  write_file_atomically(folder / "a", text);
  EXPECT_EQ(MappedFile(folder / "a").bytes(), text);
}

TEST(MappedFile, MayBeEmpty) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "");
  EXPECT_EQ(MappedFile(folder / "a").bytes(), "");
}

TEST(MappedFile, RefusesWhatIsNoPlainFile) {
  EXPECT_EQ(refusal([] { MappedFile("/dev/null"); }),
            "/dev/null: cannot be read: it is a device, not a file");
  EXPECT_EQ(refusal([] { MappedFile("/dev"); }), "/dev: cannot be read: it is a folder");
  EXPECT_EQ(refusal([] { MappedFile("/no/such"); }),
            "/no/such: cannot be read: No such file or directory");
}

}  // namespace
}  // namespace layerlab
