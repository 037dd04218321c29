#include "core/error.h"

#include <utility>

namespace layerlab {
namespace {

std::string one_line(const Place& place, const std::string& expected, const std::string& remedy) {
  std::string line = place.text();
  if (!line.empty()) line += ": ";
  line += expected;
  if (!remedy.empty()) line += "; " + remedy;
  return line;
}

}  // namespace

std::string Place::text() const {
  if (line == 0) return file;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

UserError::UserError(Place place, const std::string& expected, const std::string& remedy,
                     std::string excerpt)
    : std::runtime_error(one_line(place, expected, remedy)),
      place_(std::move(place)),
      excerpt_(std::move(excerpt)) {}

}  // namespace layerlab
