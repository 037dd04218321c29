// Reading and writing whole files. What is read while it is being replaced is the old contents.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/file_descriptor.h"

namespace layerlab {

// Whether anything stands there, be it a link that leads nowhere. Throws UserError where the folder
// cannot be searched.
bool is_there(const std::filesystem::path& path);

// Throws UserError unless `path` is a regular file, or leads to one: a folder, pipe or device may
// block, or have no end.
void require_file(const std::filesystem::path& path);

// Opens a file for reading. Throws UserError as require_file(), and when it cannot be opened.
FileDescriptor open_file(const std::filesystem::path& path);

// The whole file. Throws UserError as open_file(), and for files over 1 GiB (see MappedFile).
std::string read_file(const std::filesystem::path& path);

// Whether a file of a folder's own may be called so: a name that leads to no other folder, and that
// a terminal shows as it is. Not empty, ".", "..", with a slash or with a control character.
bool is_file_name(std::string_view name);

// What is in `folder`, or what ends in `extension` there (".toml"), sorted. Nothing where it is no
// folder.
std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder,
                                                  std::string_view extension = "");

// Replaces the file by `text`, as AtomicFile does.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// A file under construction. It is written beside its place under a temporary name and takes its
// place at commit(), by fsync and rename. Destroyed without commit(), it leaves no trace; a killed
// process leaves the temporary file, which remove_temporaries() clears away.
// Symbolic links are followed: the file that they lead to is replaced, and keeps its permissions.
// Pipes, devices and this process's own descriptors (/dev/stdout, /dev/fd/63) are written to as
// they are. Missing parent folders are made. All members throw UserError when the system refuses.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void commit();

  // Where it is being written; empty for what is written to as it is.
  const std::filesystem::path& temporary() const { return temporary_; }

 private:
  bool open_special();  // opens target_ if it is not to be replaced
  void open_temporary();
  [[noreturn]] void fail() const;  // with errno's reason

  std::filesystem::path path_;    // as it was named, for messages
  std::filesystem::path target_;  // behind all links
  std::filesystem::path temporary_;
  FileDescriptor file_;
};

// A name beside `path` that nobody can guess, which remove_temporaries() knows.
std::filesystem::path temporary_name(const std::filesystem::path& path);

// Removes what killed processes left half-written in `folder` and the folders below it: regular
// files whose names temporary_name() made. REQUIRES: nobody is writing there.
void remove_temporaries(const std::filesystem::path& folder);

}  // namespace layerlab
