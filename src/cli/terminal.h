// What is known of the terminals that a command prints to.
#pragma once

#include <optional>

namespace layerlab::cli {

// How wide the terminal behind a file descriptor is; nothing where there is none, or it won't say.
std::optional<int> terminal_columns(int file);

// Whether what goes there may be coloured: to terminals, unless NO_COLOR is set (no-color.org).
bool may_colour(int file);

// For what is printed to stdout: of the terminal, or what COLUMNS says; a file gets long lines.
int columns_to_fill();

}  // namespace layerlab::cli
