#include "core/mapped_file.h"

#include <boost/interprocess/file_mapping.hpp>
#include <string>

#include "core/error.h"

namespace layerlab {
namespace fs = std::filesystem;
namespace ipc = boost::interprocess;

MappedFile::MappedFile(const fs::path& path) {
  const Place place{path.string()};
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error) throw UserError(place, "cannot be read: " + error.message());
  if (fs::is_directory(status)) throw UserError(place, "cannot be read: it is a folder");
  if (!fs::is_regular_file(status)) throw UserError(place, "cannot be read: it is no plain file");
  try {
    const ipc::file_mapping file(path.c_str(), ipc::read_only);
    if (fs::file_size(path) > 0) region_ = ipc::mapped_region(file, ipc::read_only);
  } catch (const ipc::interprocess_exception& e) {
    const std::error_code reason(e.get_native_error(), std::generic_category());
    throw UserError(place, "cannot be read: " + reason.message());
  }
}

std::string_view MappedFile::bytes() const {
  return {static_cast<const char*>(region_.get_address()), region_.get_size()};
}

}  // namespace layerlab
