// Files that are whole or not there: what is read while it is being replaced is the old contents.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace layerlab {

// The whole file. Throws UserError when it cannot be read.
std::string read_file(const std::filesystem::path& path);

// What is in `folder`, or what ends in `extension` there (".toml"), sorted. Nothing where it is no
// folder.
std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder,
                                                  std::string_view extension = "");

// Replaces the file by `text`, as AtomicFile does.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// A file under construction. It is written beside its place under a temporary name, and takes its
// place at commit() by fsync and rename. Destroyed without commit(), it leaves no trace; a killed
// process leaves the temporary file, which remove_temporaries() clears away.
// Missing parent folders are made. All members throw UserError when the disk refuses.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;  // with errno's reason

  std::filesystem::path path_, temporary_;
  int file_ = -1;
};

// Removes what killed processes left half-written in `folder` and the folders below it.
// REQUIRES: nobody is writing there.
void remove_temporaries(const std::filesystem::path& folder);

}  // namespace layerlab
