#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>

namespace layerlab::cli {

std::optional<int> terminal_columns(int file) {
  winsize size{};
  if (::ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

bool may_colour(int file) {
  const char* const refused = std::getenv("NO_COLOR");
  return ::isatty(file) != 0 && (refused == nullptr || *refused == '\0');
}

int columns_to_fill() {
  if (const std::optional<int> columns = terminal_columns(STDOUT_FILENO)) return *columns;
  const char* columns = std::getenv("COLUMNS");
  const int number = columns == nullptr ? 0 : std::atoi(columns);
  return number > 0 ? number : 120;
}

TextStyle table_style() {
  TextStyle style;
  style.width = terminal_columns(STDOUT_FILENO).value_or(std::numeric_limits<int>::max());
  style.colour = may_colour(STDOUT_FILENO);
  return style;
}

}  // namespace layerlab::cli
