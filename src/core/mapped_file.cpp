#include "core/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/error.h"
#include "core/files.h"

namespace layerlab {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const FileDescriptor file = open_file(path);
  struct stat status {};
  ::fstat(file.get(), &status);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) {
    throw UserError({path.string()}, std::string("cannot be read: ") + std::strerror(errno));
  }
  data_ = {static_cast<const char*>(data), Unmap{size}};
}

void MappedFile::Unmap::operator()(const char* data) const {
  ::munmap(const_cast<char*>(data), size);
}

}  // namespace layerlab
