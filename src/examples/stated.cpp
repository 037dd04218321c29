#include "examples/stated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace layerlab::examples {
namespace {

constexpr double kExact = 1e-9;

Stated read_one(const std::string& text) {
  Stated stated{text};
  if (const auto slash = text.find('/'); slash != std::string::npos) {
    stated.value = std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
    return stated;
  }
  const bool rounded = text.starts_with('~');
  const std::string digits = rounded ? text.substr(1) : text;
  const std::size_t point = digits.find('.'), exponent = digits.find('e');
  stated.value = std::stod(digits);
  if (point != std::string::npos) {
    stated.decimals = static_cast<int>(std::min(exponent, digits.size()) - point) - 1;
  }
  if (point == std::string::npos && !rounded) return stated;
  const int shift = exponent == std::string::npos ? 0 : std::stoi(digits.substr(exponent + 1));
  stated.unit = std::pow(10, shift - stated.decimals);
  return stated;
}

}  // namespace

std::vector<Stated> read_stated(std::string_view text) {
  std::vector<Stated> numbers;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) numbers.push_back(read_one(word));
  return numbers;
}

bool agrees(double value, const Stated& stated) {
  if (std::isnan(stated.value)) return std::isnan(value);
  const double tolerance = stated.unit > 0 ? stated.unit : kExact;
  return std::abs(value - stated.value) <= tolerance;
}

std::string as_stated(double value, const Stated& stated) {
  if (std::isnan(value)) return "nan";  // whose sign says nothing
  if (stated.text.find('e') != std::string::npos) {
    return fmt::format("{:.{}e}", value, stated.decimals);
  }
  if (stated.unit > 0) return fmt::format("{:.{}f}", value, stated.decimals);
  return fmt::format("{:.6g}", std::abs(value) < kExact ? 0.0 : value);
}

}  // namespace layerlab::examples
