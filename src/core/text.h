// UTF-8 text as a terminal shows it: measured in columns, and free of what a terminal would obey.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace layerlab {

// The columns that a terminal gives to a text: two for wide East Asian characters and emoji, none
// for combining marks and other characters without width, one for all others. A byte that is not
// UTF-8 counts one.
int display_width(std::string_view text);

// The text on one line, with control characters spelled out: "\n", "\x1b", "\u202e". They are C0,
// DEL and C1, separators of lines, controls of direction (Unicode, UAX 9), invisible characters,
// and bytes that are not UTF-8. Everything printed passes through here; doing so twice changes
// nothing.
std::string visible(std::string_view text);

// At most `bytes` bytes: a longer text loses its middle, and "…" stands there.
std::string shortened(std::string_view text, std::size_t bytes);

// The line, made visible, and below it a caret under the byte at `offset`. A long line is cut on
// both sides of the caret.
std::string caret_excerpt(std::string_view line, std::size_t offset);

// Breaks text between words into lines of at most `width` columns, all but the first indented.
// Blanks inside a line stay as they are, and a longer word stays whole.
std::vector<std::string> wrap(std::string_view text, int width, int indent);

// Markdown that shows the text as it is, on one line, also in a table's cell. Bare addresses still
// become links; nothing else in the text is obeyed.
std::string markdown(std::string_view text);

}  // namespace layerlab
