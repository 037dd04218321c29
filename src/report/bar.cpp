#include "report/bar.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace layerlab::report {

std::string bar(double value, double largest, int width) {
  constexpr std::array kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double share = largest > 0 ? std::abs(value) / largest : 0;
  int eighths = 0;
  if (share > 0) eighths = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width * 8));
  if (share > 0) eighths = std::max(eighths, 1);
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  const int rest = eighths % 8;
  text += kEighths[static_cast<std::size_t>(rest)];
  const int used = eighths / 8 + (rest > 0 ? 1 : 0);
  return text + std::string(static_cast<std::size_t>(width - used), ' ');
}

}  // namespace layerlab::report
