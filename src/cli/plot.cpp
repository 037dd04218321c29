#include "cli/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace layerlab::cli {

std::vector<std::string> plot(const std::function<double(std::int64_t)>& f, std::int64_t last,
                              int columns, int rows) {
  static constexpr const char* kEighths[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> values;
  for (int column = 0; column < columns; ++column) {
    values.push_back(f(last * column / (columns - 1)));
  }
  const double largest = *std::ranges::max_element(values);
  std::vector<std::string> lines;
  for (int row = rows - 1; row >= 0; --row) {
    std::string line;
    for (const double value : values) {
      const double height = largest > 0 ? std::ceil(8 * rows * value / largest) : 0;
      line += kEighths[std::clamp(static_cast<int>(height) - 8 * row, 0, 8)];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace layerlab::cli
