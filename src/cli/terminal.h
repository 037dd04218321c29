// The terminals that a command prints to.
#pragma once

#include <optional>

#include "core/text_table.h"

namespace layerlab::cli {

// How wide the terminal behind a file descriptor is; nothing where there is none, or it won't say.
std::optional<int> terminal_columns(int file);

// Whether what goes there may be coloured: to terminals, unless NO_COLOR is set (no-color.org).
bool may_colour(int file);

// The columns that text on stdout may fill: the terminal's, or what COLUMNS says, or 120.
int columns_to_fill();

// For tables on stdout. Lines are as long as they need to be where no terminal reads them.
TextStyle table_style();

}  // namespace layerlab::cli
