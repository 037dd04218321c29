// A file's bytes without a copy of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace layerlab {

// Maps the file into memory: pages are read when they are looked at, and may be given back.
class MappedFile {
 public:
  // Throws UserError as open_file() does.
  explicit MappedFile(const std::filesystem::path& path);

  std::string_view bytes() const { return {data_.get(), data_.get_deleter().size}; }

 private:
  struct Unmap {
    std::size_t size;
    void operator()(const char* data) const;
  };
  std::unique_ptr<const char, Unmap> data_;  // null where the file is empty
};

}  // namespace layerlab
