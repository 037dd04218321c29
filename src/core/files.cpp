#include "core/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "core/error.h"

namespace layerlab {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kTemporary = ".tmp-";

// A rename survives a power cut only once its folder is on disk too. File systems that cannot sync
// a folder lose nothing that matters here.
void sync_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path)) {
    const std::string reason = fs::is_directory(path) ? "it is a folder" : std::strerror(errno);
    throw UserError({path.string()}, "cannot be read: " + reason);
  }
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) throw UserError({path.string()}, "cannot be read to its end");
  return text;
}

std::vector<fs::path> sorted_entries(const fs::path& folder, std::string_view extension) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return {};
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (extension.empty() || entry.path().extension() == extension) entries.push_back(entry.path());
  }
  std::ranges::sort(entries);
  return entries;
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

AtomicFile::AtomicFile(fs::path path)
    : path_(std::move(path)),
      // The process id keeps two processes that write the same report apart.
      temporary_(path_.string() + std::string(kTemporary) + std::to_string(::getpid())) {
  std::error_code error;
  fs::create_directories(folder_of(path_), error);
  if (error) {
    throw UserError({path_.string()}, "cannot be written: " + error.message());
  }
  file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail("cannot be written");
}

AtomicFile::~AtomicFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(file_, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written");
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  if (::fsync(file_) != 0) fail("cannot be written");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be replaced");
  ::close(std::exchange(file_, -1));
  sync_folder(folder_of(path_));
}

void AtomicFile::fail(const char* what) const {
  throw UserError({path_.string()}, std::string(what) + ": " + std::strerror(errno));
}

void remove_temporaries(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename().string().find(kTemporary) != std::string::npos) {
      found.push_back(entry.path());
    }
  }
  for (const fs::path& path : found) fs::remove(path);
}

}  // namespace layerlab
