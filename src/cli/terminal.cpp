#include "cli/terminal.h"

#include <sys/ioctl.h>

namespace layerlab::cli {

std::optional<int> terminal_columns(int file) {
  winsize size{};
  if (::ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace layerlab::cli
