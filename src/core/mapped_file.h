// A file's bytes without a copy of them.
#pragma once

#include <boost/interprocess/mapped_region.hpp>
#include <filesystem>
#include <string_view>

namespace layerlab {

// Maps the file into memory: pages are read when they are looked at, and may be given back.
class MappedFile {
 public:
  // Throws UserError when it cannot be read or is a folder.
  explicit MappedFile(const std::filesystem::path& path);

  std::string_view bytes() const;

 private:
  boost::interprocess::mapped_region region_;  // of no size where the file is empty
};

}  // namespace layerlab
