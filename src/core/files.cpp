#include "core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "core/error.h"

namespace layerlab {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLargestText = std::size_t{1} << 30;
constexpr std::string_view kTemporary = ".tmp-";  // then kDigits hex digits
constexpr std::size_t kDigits = 16;
constexpr int kMostLinks = 40;  // the system's own limit

[[noreturn]] void fail_to_read(const fs::path& path, const std::string& reason) {
  throw UserError({path.string()}, "cannot be read: " + reason);
}

// A rename survives a power cut only once its folder is on disk too. File systems that cannot sync
// a folder lose nothing that matters here.
void sync_folder(const fs::path& folder) {
  const FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file) ::fsync(file.get());
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// The open descriptor of this process that /dev/fd/N and its like name.
std::optional<int> own_descriptor(const fs::path& path) {
  std::error_code error;
  if (!fs::equivalent(folder_of(path), "/proc/self/fd", error) || error) return std::nullopt;
  const std::string name = path.filename().string();
  const char* const end = name.data() + name.size();
  int number = -1;
  const auto [stop, wrong] = std::from_chars(name.data(), end, number);
  if (wrong != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool is_temporary(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  const std::size_t mark = name.rfind(kTemporary);
  if (mark == std::string::npos || name.size() != mark + kTemporary.size() + kDigits) return false;
  std::error_code error;
  return name.find_first_not_of("0123456789abcdef", mark + kTemporary.size()) ==
             std::string::npos &&
         entry.symlink_status(error).type() == fs::file_type::regular;
}

}  // namespace

bool is_there(const fs::path& path) {
  std::error_code error;
  const fs::file_type type = fs::symlink_status(path, error).type();
  if (type == fs::file_type::none) fail_to_read(path, error.message());
  return type != fs::file_type::not_found;
}

void require_file(const fs::path& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) fail_to_read(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail_to_read(path, "it is a folder");
  if (S_ISFIFO(status.st_mode)) fail_to_read(path, "it is a pipe, not a file");
  if (!S_ISREG(status.st_mode)) fail_to_read(path, "it is a device, not a file");
}

FileDescriptor open_file(const fs::path& path) {
  require_file(path);
  // What only looks like a file (/proc/kmsg) must not block either.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) fail_to_read(path, std::strerror(errno));
  return file;
}

std::string read_file(const fs::path& path) {
  const FileDescriptor file = open_file(path);
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t bytes = ::read(file.get(), buffer, sizeof buffer);
    if (bytes == 0) return text;
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) fail_to_read(path, std::strerror(errno));
    text.append(buffer, static_cast<std::size_t>(bytes));
    if (text.size() > kLargestText) fail_to_read(path, "it is larger than 1 GiB");
  }
}

bool is_file_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && std::ranges::none_of(name, [](char c) {
    return c == '/' || std::iscntrl(static_cast<unsigned char>(c)) != 0;
  });
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

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)), target_(path_) {
  std::error_code error;
  for (int links = 0; !own_descriptor(target_) && fs::is_symlink(target_, error); ++links) {
    errno = ELOOP;
    if (links == kMostLinks) fail();
    target_ = folder_of(target_) / fs::read_symlink(target_);
  }
  if (!open_special()) open_temporary();
}

AtomicFile::~AtomicFile() {
  if (file_ && !temporary_.empty()) ::unlink(temporary_.c_str());
}

bool AtomicFile::open_special() {
  std::error_code error;
  if (const std::optional<int> number = own_descriptor(target_)) {
    std::fflush(nullptr);  // what was printed before comes first
    file_.reset(::fcntl(*number, F_DUPFD_CLOEXEC, 0));
  } else if (fs::exists(target_, error) && !fs::is_regular_file(target_, error)) {
    // Without waiting for somebody to read a pipe, which may be never.
    file_.reset(::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (file_) ::fcntl(file_.get(), F_SETFL, O_WRONLY);
  } else {
    return false;
  }
  if (!file_) fail();
  return true;
}

void AtomicFile::open_temporary() {
  std::error_code error;
  fs::create_directories(folder_of(target_), error);
  errno = error.value();
  if (error) fail();
  temporary_ = temporary_name(target_);
  file_.reset(
      ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file_) fail();
  struct stat status;
  if (::stat(target_.c_str(), &status) == 0) ::fchmod(file_.get(), status.st_mode & 07777);
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(file_.get(), next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  if (!temporary_.empty()) {
    if (::fsync(file_.get()) != 0) fail();
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
    sync_folder(folder_of(target_));
  }
  file_.reset();
}

void AtomicFile::fail() const {
  const char* const reason = errno == ENXIO ? "nobody reads from it" : std::strerror(errno);
  throw UserError({path_.string()}, std::string("cannot be written: ") + reason);
}

fs::path temporary_name(const fs::path& path) {
  std::random_device random;
  char digits[kDigits + 1];
  std::snprintf(digits, sizeof digits, "%08x%08x", random(), random());
  return path.string() + std::string(kTemporary) + digits;
}

void remove_temporaries(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (is_temporary(entry)) found.push_back(entry.path());
  }
  for (const fs::path& path : found) fs::remove(path);
}

}  // namespace layerlab
