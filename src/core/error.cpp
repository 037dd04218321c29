#include "core/error.h"

#include <utility>

#include "core/text.h"

namespace layerlab {
namespace {

constexpr std::size_t kLongest = 1500;  // bytes of a part: names and values may be of any length

std::string one_line(const Place& place, const std::string& expected, const std::string& remedy) {
  const auto part = [](const std::string& text) { return visible(shortened(text, kLongest)); };
  std::string line = part(place.text());
  if (!line.empty()) line += ": ";
  line += part(expected);
  if (!remedy.empty()) line += "; " + part(remedy);
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
